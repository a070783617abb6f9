//! Tests that exports are copied to and from object storage completely or not at all.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayledger_export::Person;
use dayledger_fleet::storage::{Error, PullOutcome, PushOutcome, Storage, Titles, pull, push};
use dayledger_fleet::team::Team;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path as Place;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result as StoreResult,
};

use crate::test_team::{NAMES, TestTeam, rows};

/// A storage in memory that fails after a certain number of requests.
#[derive(Debug)]
struct FailingStore {
    objects: InMemory,
    left: AtomicUsize,
}

impl FailingStore {
    fn new() -> Arc<Self> {
        Arc::new(Self { objects: InMemory::new(), left: AtomicUsize::new(usize::MAX) })
    }

    fn fail_after(&self, requests: usize) {
        self.left.store(requests, Ordering::SeqCst);
    }

    fn check_request(&self) -> StoreResult<()> {
        let passed = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        let broken = |_| object_store::Error::Generic { store: "memory", source: "503 Slow\nDown".into() };
        passed.map(drop).map_err(broken)
    }
}

impl fmt::Display for FailingStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.objects.fmt(out)
    }
}

#[async_trait::async_trait]
impl ObjectStore for FailingStore {
    async fn put_opts(&self, place: &Place, content: PutPayload, how: PutOptions) -> StoreResult<PutResult> {
        self.check_request()?;
        self.objects.put_opts(place, content, how).await
    }

    async fn put_multipart_opts(
        &self,
        place: &Place,
        how: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        self.objects.put_multipart_opts(place, how).await
    }

    async fn get_opts(&self, place: &Place, how: GetOptions) -> StoreResult<GetResult> {
        self.check_request()?;
        self.objects.get_opts(place, how).await
    }

    fn delete_stream(&self, places: BoxStream<'static, StoreResult<Place>>) -> BoxStream<'static, StoreResult<Place>> {
        self.objects.delete_stream(places)
    }

    fn list(&self, prefix: Option<&Place>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        self.objects.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Place>) -> StoreResult<ListResult> {
        self.objects.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Place, to: &Place, how: CopyOptions) -> StoreResult<()> {
        self.objects.copy_opts(from, to, how).await
    }
}

/// A team with its exports, and a storage for the exports.
struct PushedTeam {
    people: TestTeam,
    objects: Arc<FailingStore>,
    storage: Storage,
}

impl PushedTeam {
    async fn new() -> Self {
        let objects = FailingStore::new();
        let storage = Storage::from_store(Arc::clone(&objects) as Arc<dyn ObjectStore>, "memory");
        let team = Self { people: TestTeam::export().await, objects, storage };
        for name in NAMES {
            assert!(team.push(name).await.unwrap() > 5);
        }
        team
    }

    /// Pushes a person's export. Returns the number of uploaded files.
    async fn push(&self, name: &str) -> Result<usize, Error> {
        let folder = self.people.person_folder(name);
        match push(&person(name), &folder, &self.storage, Titles::Allowed).await? {
            PushOutcome::Copied(copied) => Ok(copied.new),
            PushOutcome::LeftOut => panic!("{name} was not pushed"),
        }
    }

    /// Pulls all exports into a folder. Returns the outcome for each person.
    async fn pull(&self, folder: &Path) -> Result<BTreeMap<String, Result<PullOutcome, Error>>, Error> {
        let mut outcomes = BTreeMap::new();
        pull(&self.storage, folder, |person, pulled| {
            outcomes.insert(person.as_str().to_owned(), pulled);
        })
        .await?;
        Ok(outcomes)
    }

    /// Changes the manifest of a person's export without changing the size of the file.
    fn change_export(&self, name: &str) {
        let manifest = self.people.person_folder(name).join("manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        let at = text.find("\"writtenUtc\": \"").unwrap() + "\"writtenUtc\": \"".len();
        let digit = if text.as_bytes()[at] == b'2' { "1" } else { "2" };
        fs::write(&manifest, format!("{}{digit}{}", &text[..at], &text[at + 1..])).unwrap();
    }
}

fn person(name: &str) -> Person {
    name.parse().unwrap()
}

/// Returns the path of an object that exists for every export.
fn object_path(name: &str) -> Place {
    Place::from(format!("person={name}/segments/month=2025-03/segments.parquet"))
}

/// Returns the number of copied files for each person, sorted by name. The number is `None` if the export wasn't
/// copied.
fn new_files(outcomes: &BTreeMap<String, Result<PullOutcome, Error>>) -> Vec<Option<usize>> {
    let new = |pulled: &Result<PullOutcome, Error>| match pulled {
        Ok(PullOutcome::Copied(copied)) => Some(copied.new),
        _ => None,
    };
    outcomes.values().map(new).collect()
}

/// Returns the files in a folder and its subfolders. Lock files and the files that `pull` adds are left out.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.ends_with(".dayledger.lock") && !path.ends_with("checksums.json") {
                let content = fs::read(&path).unwrap();
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), content);
            }
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn pull_copies_pushed_exports_exactly_and_only_once() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    let outcomes = team.pull(copy.path()).await.unwrap();
    assert!(new_files(&outcomes).iter().all(|new| new.is_some_and(|new| new > 5)), "{outcomes:?}");
    assert_eq!(files(copy.path()), files(team.people.folder()));
    let sql = "SELECT person, date, active_seconds FROM day_summary";
    let engine = Team::open(copy.path()).unwrap().engine(None).unwrap();
    assert_eq!(rows(&engine, sql).await, rows(&team.people.engine(), sql).await);
    for name in NAMES {
        assert_eq!(team.push(name).await.unwrap(), 0, "{name}");
    }
    assert_eq!(new_files(&team.pull(copy.path()).await.unwrap()), [Some(0); 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_and_missing_files_are_copied_again() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    team.pull(copy.path()).await.unwrap();
    let file = copy.path().join("person=bela/segments/month=2025-03/segments.parquet");
    fs::remove_file(&file).unwrap();
    fs::write(&file, "another").unwrap();
    assert_eq!(new_files(&team.pull(copy.path()).await.unwrap()), [Some(0), Some(1), Some(0)]);
    assert_eq!(files(copy.path()), files(team.people.folder()));
    // In the first case, an object is missing. In the second case, an object was replaced by another object of the same
    // size.
    team.objects.delete(&object_path("anna")).await.unwrap();
    assert_eq!(team.push("anna").await.unwrap(), 1);
    let there = team.objects.get(&object_path("anna")).await.unwrap().bytes().await.unwrap();
    team.objects.put(&object_path("anna"), vec![0; there.len()].into()).await.unwrap();
    assert_eq!(team.push("anna").await.unwrap(), 1);
    assert_eq!(team.objects.get(&object_path("anna")).await.unwrap().bytes().await.unwrap(), there);
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_push_changes_nothing_for_pulls() {
    let team = PushedTeam::new().await;
    let (copy, first) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    team.pull(copy.path()).await.unwrap();
    let before = files(copy.path());
    let mut broken = 0;
    team.change_export("bela");
    loop {
        team.objects.fail_after(broken);
        let pushed = team.push("bela").await;
        team.objects.fail_after(usize::MAX);
        if pushed.is_ok() {
            break;
        }
        let error = pushed.unwrap_err();
        assert!(error.to_string().contains("503 Slow Down") && !error.hint().is_empty(), "{error}");
        broken += 1;
        // A folder that has a complete copy keeps this copy. An empty folder gets only complete copies.
        let outcomes = team.pull(copy.path()).await.unwrap();
        assert!(matches!(outcomes["bela"], Ok(PullOutcome::Unfinished | PullOutcome::Copied(_))), "{outcomes:?}");
        assert_eq!(files(copy.path()), before);
        let outcomes = team.pull(first.path()).await.unwrap();
        match &outcomes["bela"] {
            Ok(PullOutcome::Unfinished) => assert!(!first.path().join("person=bela").exists()),
            Ok(PullOutcome::Copied(_)) => {
                assert_eq!(files(first.path()), before);
                fs::remove_dir_all(first.path().join("person=bela")).unwrap();
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(broken >= 3, "{broken}");
    assert_eq!(new_files(&team.pull(copy.path()).await.unwrap()), [Some(0), Some(1), Some(0)]);
    assert_eq!(files(copy.path()), files(team.people.folder()));
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_pull_leaves_complete_exports() {
    let team = PushedTeam::new().await;
    let whole = files(team.people.folder());
    let copy = tempfile::tempdir().unwrap();
    for requests in 0.. {
        team.objects.fail_after(requests);
        let outcomes = team.pull(copy.path()).await.unwrap();
        team.objects.fail_after(usize::MAX);
        let held = files(copy.path());
        for name in NAMES {
            let of_her = |all: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, Vec<u8>> {
                let begin = PathBuf::from(format!("person={name}"));
                all.iter().filter(|(path, _)| path.starts_with(&begin)).map(|(k, v)| (k.clone(), v.clone())).collect()
            };
            assert!(of_her(&held).is_empty() || of_her(&held) == of_her(&whole), "{name} after {requests}");
        }
        assert!(held.keys().all(|path| path.starts_with("person=anna") || whole.contains_key(path)));
        // After the first export that can't be copied, no other exports are tried.
        assert!(outcomes.values().filter(|outcome| outcome.is_err()).count() <= 1, "{outcomes:?}");
        if outcomes.values().all(Result::is_ok) {
            assert_eq!(held, whole);
            assert!(requests > 20, "{requests}");
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_replacement_is_restored_by_the_next_pull() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    team.pull(copy.path()).await.unwrap();
    let before = files(copy.path());
    // Creates the state that a pull leaves if it is killed after it moved a copy away.
    let going = copy.path().join(".dayledger-going");
    fs::create_dir(&going).unwrap();
    fs::rename(copy.path().join("person=bela"), going.join("person=bela")).unwrap();
    let complete = || Team::open(copy.path()).and_then(Team::require_complete);
    let refused = complete().unwrap_err();
    assert!(refused.to_string().contains("person=bela") && refused.hint().contains("pull"), "{refused}");
    assert_eq!(new_files(&team.pull(copy.path()).await.unwrap()), [Some(0); 3]);
    assert_eq!(files(copy.path()), before);
    assert!(!going.exists() && complete().is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_locked_by_an_export_is_not_changed() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    team.pull(copy.path()).await.unwrap();
    let held = fs::File::create(copy.path().join("person=anna/.dayledger.lock")).unwrap();
    held.lock().unwrap();
    let outcomes = team.pull(copy.path()).await.unwrap();
    assert!(matches!(outcomes["anna"], Err(Error::InUse { .. })), "{outcomes:?}");
    assert_eq!(new_files(&outcomes), [None, Some(0), Some(0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn titles_are_pushed_only_if_allowed() {
    let team = PushedTeam::new().await;
    let empty = FailingStore::new();
    let storage = Storage::from_store(Arc::clone(&empty) as Arc<dyn ObjectStore>, "memory");
    let folder = team.people.person_folder("anna");
    let refused = push(&person("anna"), &folder, &storage, Titles::Refused).await.unwrap_err();
    assert!(matches!(refused, Error::Titles { .. }) && refused.hint().contains("--include-titles"), "{refused}");
    assert!(empty.list_with_delimiter(None).await.unwrap().common_prefixes.is_empty());
    // A file that isn't part of an export must not be pushed.
    fs::create_dir(folder.join("scratch")).unwrap();
    fs::write(folder.join("scratch/titles.parquet"), "of somebody").unwrap();
    team.push("anna").await.unwrap();
    let there = team.objects.list_with_delimiter(Some(&Place::from("person=anna"))).await.unwrap();
    assert!(there.common_prefixes.iter().all(|folder| folder.filename() != Some("scratch")));
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_that_were_not_pulled_stay_unchanged() {
    let team = PushedTeam::new().await;
    let before = files(team.people.folder());
    let outcomes = team.pull(team.people.folder()).await.unwrap();
    assert!(outcomes.values().all(|outcome| matches!(outcome, Err(Error::NotPulled { .. }))), "{outcomes:?}");
    assert_eq!(files(team.people.folder()), before);
    let copy = tempfile::tempdir().unwrap();
    team.pull(copy.path()).await.unwrap();
    // A folder that was pulled isn't pushed again.
    let pushed = push(&person("anna"), &copy.path().join("person=anna"), &team.storage, Titles::Allowed).await;
    assert_eq!(pushed.unwrap(), PushOutcome::LeftOut);
    // A newer export was written into anna's copy, dora's folder wasn't pulled, and another person is no longer in
    // storage.
    let of_anna = copy.path().join("person=anna/manifest.json");
    let own = copy.path().join("person=dora");
    fs::remove_file(&of_anna).unwrap();
    fs::write(&of_anna, "newer").unwrap();
    fs::create_dir(&own).unwrap();
    fs::write(own.join("manifest.json"), "her own").unwrap();
    let all = team.objects.list_with_delimiter(Some(&Place::from("person=bela"))).await.unwrap();
    assert!(!all.objects.is_empty());
    for (name, _) in files(&team.people.person_folder("bela")) {
        let name = name.to_str().unwrap().replace('\\', "/");
        team.objects.delete(&Place::from(format!("person=bela/{name}"))).await.unwrap();
    }
    team.objects.delete(&Place::from("person=bela/checksums.json")).await.unwrap();
    let outcomes = team.pull(copy.path()).await.unwrap();
    assert!(matches!(outcomes["anna"], Err(Error::NotPulled { .. })), "{outcomes:?}");
    assert_eq!(fs::read_to_string(&of_anna).unwrap(), "newer");
    assert!(matches!(outcomes["bela"], Ok(PullOutcome::Removed)) && !copy.path().join("person=bela").exists());
    assert!(matches!(outcomes["chris"], Ok(PullOutcome::Copied(_))) && !outcomes.contains_key("dora"));
    assert_eq!(fs::read_to_string(own.join("manifest.json")).unwrap(), "her own");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_export_does_not_block_the_others() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    team.pull(copy.path()).await.unwrap();
    let before = files(copy.path());
    let manifest_of_chris = team.objects.get(&Place::from("person=chris/checksums.json")).await.unwrap();
    let of_chris = manifest_of_chris.bytes().await.unwrap();
    for checksums in [
        r#"{"version":1,"files":{"../../authorized_keys":{"sha256":"00","object":{"bytes":1}}}}"#.as_bytes().to_vec(),
        r#"{"version":1,"files":{}}"#.as_bytes().to_vec(),
        r#"{"version":2}"#.as_bytes().to_vec(),
        b"\x1b[31m no JSON".to_vec(),
    ] {
        team.objects.put(&Place::from("person=bela/checksums.json"), checksums.into()).await.unwrap();
        let outcomes = team.pull(copy.path()).await.unwrap();
        let error = outcomes["bela"].as_ref().unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }) && !error.to_string().contains('\x1b'), "{error}");
        assert_eq!(new_files(&outcomes), [Some(0), None, Some(0)]);
        assert_eq!(files(copy.path()), before);
    }
    // The objects under a person's name are the export of another person.
    for (name, content) in files(&team.people.person_folder("chris")) {
        let name = name.to_str().unwrap().replace('\\', "/");
        team.objects.put(&Place::from(format!("person=bela/{name}")), content.into()).await.unwrap();
    }
    team.objects.put(&Place::from("person=bela/checksums.json"), of_chris.into()).await.unwrap();
    let outcomes = team.pull(copy.path()).await.unwrap();
    assert!(outcomes["bela"].as_ref().unwrap_err().to_string().contains("another person"), "{outcomes:?}");
    assert_eq!(files(copy.path()), before);
    assert!(team.push("bela").await.unwrap() > 0);
    assert_eq!(new_files(&team.pull(copy.path()).await.unwrap()), [Some(0); 3]);
}

/// A damaged object must be an error. It must not be mistaken for a running push, which has exit code 0.
#[tokio::test(flavor = "multi_thread")]
async fn damaged_and_incomplete_exports_are_errors_unless_a_push_runs() {
    let team = PushedTeam::new().await;
    let copy = tempfile::tempdir().unwrap();
    let mark = Place::from("person=bela/push.json");
    assert!(team.objects.get(&mark).await.is_err(), "a finished push removes its mark");
    let there = team.objects.get(&object_path("bela")).await.unwrap().bytes().await.unwrap();
    let mut damaged = there.to_vec();
    damaged[there.len() / 2] ^= 1;
    for content in [Some(damaged), Some(vec![0; 2 * there.len()]), None] {
        match content {
            Some(content) => drop(team.objects.put(&object_path("bela"), content.into()).await.unwrap()),
            None => team.objects.delete(&object_path("bela")).await.unwrap(),
        }
        let outcomes = team.pull(copy.path()).await.unwrap();
        let error = outcomes["bela"].as_ref().unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }) && error.to_string().contains("segments.parquet"), "{error}");
        assert!(matches!(outcomes["anna"], Ok(PullOutcome::Copied(_))) && !copy.path().join("person=bela").exists());
    }
    let running = format!("{{\"beganUtc\":\"{}\"}}", chrono::Utc::now().to_rfc3339());
    team.objects.put(&mark, running.clone().into()).await.unwrap();
    assert!(matches!(team.pull(copy.path()).await.unwrap()["bela"], Ok(PullOutcome::Unfinished)));
    team.objects.put(&mark, "{\"beganUtc\":\"2026-01-01T00:00:00Z\"}".into()).await.unwrap();
    assert!(matches!(team.pull(copy.path()).await.unwrap()["bela"], Err(Error::Damaged { .. })));
    // The folder in storage lacks `checksums.json`, which a push writes last.
    team.objects.delete(&Place::from("person=bela/checksums.json")).await.unwrap();
    let outcomes = team.pull(copy.path()).await.unwrap();
    assert!(outcomes["bela"].as_ref().unwrap_err().to_string().contains("checksums.json"), "{outcomes:?}");
    team.objects.put(&mark, running.into()).await.unwrap();
    assert!(matches!(team.pull(copy.path()).await.unwrap()["bela"], Ok(PullOutcome::Unfinished)));
    assert!(team.push("bela").await.unwrap() > 0);
    assert!(matches!(team.pull(copy.path()).await.unwrap()["bela"], Ok(PullOutcome::Copied(_))));
}

#[tokio::test]
async fn empty_storage_is_an_error() {
    let storage = Storage::from_store(FailingStore::new(), "memory");
    let copy = tempfile::tempdir().unwrap();
    let refused = pull(&storage, &copy.path().join("none"), |_, _| {}).await.unwrap_err();
    assert!(matches!(refused, Error::NoExports { .. }) && refused.hint().contains("push"), "{refused}");
    assert!(!copy.path().join("none").exists());
}

#[cfg(unix)] // On Windows, most users are not allowed to create links.
#[tokio::test(flavor = "multi_thread")]
async fn pull_follows_no_links() {
    let team = PushedTeam::new().await;
    let (copy, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["person=anna", ".dayledger-coming", ".dayledger-going"] {
        std::os::unix::fs::symlink(elsewhere.path(), copy.path().join(name)).unwrap();
    }
    // The cleanup of the folder must not follow a link.
    let refused = team.pull(copy.path()).await;
    assert!(refused.is_err() || refused.unwrap()["anna"].is_err());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    assert!(copy.path().join("person=anna").is_symlink());
}
