//! Exports in object storage. A file has the same relative path in storage and in the folder of exports.
//!
//! [`push()`] copies an export to storage. [`pull()`] copies exports from storage, and detects a push that is running.
//! The crate `object_store` signs, sends and retries requests. The crate `dayledger_export` lists the files of an
//! export.
//!
//! ```text
//! s3://BUCKET/FOLDER/person=NAME/manifest.json
//! s3://BUCKET/FOLDER/person=NAME/segments/month=2026-10/segments.parquet
//! s3://BUCKET/FOLDER/person=NAME/checksums.json
//! s3://BUCKET/FOLDER/person=NAME/push.json
//! ```
//!
//! Invariants: `push.json` exists while a push is running. `checksums.json` is written after all other files of the
//! export. So a file that doesn't match `checksums.json` is being replaced if `push.json` exists. Otherwise, the file
//! is damaged. A person's local copy is replaced as a whole. Files that are equal in storage and in the local copy
//! aren't copied. Only files of exports are read or written.

mod checksums;
mod error;
mod local_copies;
mod pull;
mod push;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use dayledger_export::Person;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientConfigKey, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig};
use tokio::time::timeout;
use url::Url;

pub use error::Error;
pub use pull::{PullOutcome, pull};
pub use push::{PushOutcome, push};

pub use crate::members::Titles;
use crate::team::person_from_folder;
use checksums::{CHECKSUMS, Checksum, ChecksumHasher, Checksums, FileName, MAX_BYTES, Object};
use push::{MARK, MAX_MARK_BYTES, PushMark};

/// The number of parallel transfers.
const MAX_PARALLEL_TRANSFERS: usize = 4;
/// The maximum number of retries. It is so high that only the timeout limits retries.
const MAX_RETRIES: usize = 10_000;
/// The lowest expected transfer speed, in bytes per second. The timeout of a transfer is extended by the size divided
/// by this speed.
const MIN_BYTES_PER_SECOND: u64 = 20_000;
/// Settings for credentials other than an access key.
const OTHER_CREDENTIALS: [AmazonS3ConfigKey; 4] = [
    AmazonS3ConfigKey::SkipSignature,
    AmazonS3ConfigKey::WebIdentityTokenFile,
    AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
    AmazonS3ConfigKey::ContainerCredentialsFullUri,
];

/// Environment variables with URLs. If such a URL is invalid, `object_store` panics at the first request.
const ADDRESSES: [(AmazonS3ConfigKey, &str); 5] = [
    (AmazonS3ConfigKey::Endpoint, "AWS_ENDPOINT_URL"),
    (AmazonS3ConfigKey::S3Endpoint, "AWS_ENDPOINT_URL_S3"),
    (AmazonS3ConfigKey::StsEndpoint, "AWS_ENDPOINT_URL_STS"),
    (AmazonS3ConfigKey::MetadataEndpoint, "AWS_METADATA_ENDPOINT"),
    (AmazonS3ConfigKey::ContainerCredentialsFullUri, "AWS_CONTAINER_CREDENTIALS_FULL_URI"),
];

/// A folder of a bucket in object storage. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Storage {
    objects: Arc<dyn ObjectStore>,
    root: Path,
    /// The name of the bucket, for error messages.
    bucket: String,
    timeout: Duration,
}

/// The number of files in a copied export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CopySummary {
    /// The number of files in the export.
    pub files: usize,
    /// The number of files that were copied, because they were missing or different at the destination.
    pub new: usize,
}

impl Storage {
    /// Opens the folder at `s3://BUCKET/FOLDER`. The credentials and the server come from the environment
    /// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`). A request that fails
    /// temporarily is retried until `timeout` has passed. A request without a response ends after twice this time.
    ///
    /// # Errors
    /// [`Error::NoStorage`] if the URL or the environment is invalid.
    pub fn open(url: &Url, timeout: Duration) -> Result<Self, Error> {
        let none = |reason: String| Error::NoStorage(url.to_string(), reason);
        let bucket = url.host_str().filter(|_| url.scheme() == "s3");
        let bucket = bucket.ok_or_else(|| none("it does not have the form `s3://BUCKET/FOLDER`".to_owned()))?;
        let root = Path::from_url_path(url.path()).map_err(|error| none(error.to_string()))?;
        let backoff =
            BackoffConfig { max_backoff: (timeout / 4).min(Duration::from_secs(15)), ..BackoffConfig::default() };
        let retry = RetryConfig { max_retries: MAX_RETRIES, retry_timeout: timeout, backoff };
        let builder = AmazonS3Builder::from_env().with_url(url.as_str()).with_retry(retry);
        if let Some(reason) = unusable_variable(&builder) {
            return Err(none(reason));
        }
        // If credentials are missing, `object_store` would request the identity of this machine from a server in the
        // network.
        let keys = [AmazonS3ConfigKey::AccessKeyId].into_iter().chain(OTHER_CREDENTIALS);
        if keys.into_iter().all(|key| builder.get_config_value(&key).is_none_or(|value| value == "false")) {
            return Err(none("`AWS_ACCESS_KEY_ID` is not set".to_owned()));
        }
        // The timeout of `object_store` is disabled, because `with_timeout` sets a timeout that depends on the size.
        let builder = builder.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), "1 day");
        let objects = builder.build().map_err(|error| none(error::cause(&error)))?;
        Ok(Self { objects: Arc::new(objects), root, bucket: format!("s3://{bucket}"), timeout })
    }

    /// Creates a storage over all `objects`. Error messages show `bucket` as the name of the storage.
    pub fn from_store(objects: Arc<dyn ObjectStore>, bucket: &str) -> Self {
        Self { objects, root: Path::default(), bucket: bucket.to_owned(), timeout: Duration::from_mins(1) }
    }

    /// Returns the people who have objects in storage, sorted by name.
    async fn people(&self) -> Result<Vec<Person>, Error> {
        let root = (!self.root.is_root()).then_some(&self.root);
        let listed = self.request("listed", &self.root, 0, self.objects.list_with_delimiter(root)).await?;
        let folders = listed.common_prefixes.iter().filter_map(Path::filename);
        let mut persons: Vec<Person> = folders.filter_map(person_from_folder).collect();
        persons.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        Ok(persons)
    }

    /// Returns a person's files in storage. Also returns the checksums of the export, if a push has finished.
    async fn list_files(&self, person: &Person) -> Result<(BTreeMap<FileName, Object>, Option<Checksums>), Error> {
        let folder = self.root.clone().join(person.folder());
        let listing = self.objects.list(Some(&folder)).try_collect::<Vec<_>>();
        let listed = self.request("listed", &folder, 0, listing).await?;
        let mut files = BTreeMap::new();
        let mut has_checksums = false;
        for object in listed {
            let below = object.location.as_ref().strip_prefix(folder.as_ref()).and_then(|path| path.strip_prefix('/'));
            let Some(name) = below else { continue };
            has_checksums |= name == CHECKSUMS;
            if let Ok(name) = FileName::try_from(name.to_owned()) {
                files.insert(name, Object { bytes: object.size, etag: object.e_tag });
            }
        }
        let checksums = if has_checksums { self.read_checksums(person).await? } else { None };
        Ok((files, checksums))
    }

    /// Returns the checksums of a person's export, or `None` if the first push of the export has not finished.
    async fn read_checksums(&self, person: &Person) -> Result<Option<Checksums>, Error> {
        let place = self.object_path(person, CHECKSUMS);
        let mut text = Vec::new();
        if self.download(&place, MAX_BYTES, &mut text).await?.is_none() {
            return Ok(None);
        }
        let wrong = |reason: String| self.invalid_export(person, reason.replace(char::is_control, " "));
        Checksums::read(&text).map(Some).map_err(wrong)
    }

    /// Writes `push.json`. This object shows that a push of a person's export is running.
    async fn begin_push(&self, person: &Person) -> Result<(), Error> {
        let text =
            serde_json::to_vec(&PushMark::now()).map_err(|error| self.invalid_export(person, error.to_string()))?;
        self.upload(&self.object_path(person, MARK), text).await.map(drop)
    }

    /// Whether a push of a person's export is running.
    async fn is_being_pushed(&self, person: &Person) -> Result<bool, Error> {
        let mut text = Vec::new();
        let read = self.download(&self.object_path(person, MARK), MAX_MARK_BYTES, &mut text).await?;
        Ok(read.is_some() && serde_json::from_slice(&text).is_ok_and(PushMark::is_recent))
    }

    /// Writes the checksums of a person's export. This completes the export in storage.
    async fn write_checksums(&self, person: &Person, checksums: &Checksums) -> Result<(), Error> {
        let text =
            serde_json::to_vec_pretty(checksums).map_err(|error| self.invalid_export(person, error.to_string()))?;
        self.upload(&self.object_path(person, CHECKSUMS), text).await.map(drop)
    }

    /// Deletes an object. Does nothing if the object doesn't exist.
    async fn delete(&self, place: &Path) -> Result<(), Error> {
        let removing = async {
            match self.objects.delete(place).await {
                Err(object_store::Error::NotFound { .. }) => Ok(()),
                removed => removed,
            }
        };
        self.request("removed", place, 0, removing).await
    }

    /// Downloads an object into `out` and returns its checksum. Returns `None` if the object doesn't exist or has more
    /// than `most` bytes.
    async fn download(&self, place: &Path, most: u64, out: &mut impl Write) -> Result<Option<Checksum>, Error> {
        let what = "read";
        let asking = async {
            match self.objects.get(place).await {
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                answer => answer.map(Some),
            }
        };
        let Some(answer) = self.request(what, place, 0, asking).await? else { return Ok(None) };
        if answer.meta.size > most {
            return Ok(None);
        }
        let size = answer.meta.size;
        let mut pieces = answer.into_stream();
        let (mut summing, mut left) = (ChecksumHasher::new(), most);
        let reading = async {
            while let Some(piece) = pieces.next().await {
                let piece = piece.map_err(|error| self.request_error(what, place, &error))?;
                // The size in the response's headers can be wrong, so the received bytes are counted too.
                let Some(rest) = left.checked_sub(piece.len() as u64) else { return Ok(None) };
                left = rest;
                summing.add(&piece);
                out.write_all(&piece).map_err(|error| Error::file(place.as_ref(), error))?;
            }
            Ok(Some(summing.finish()))
        };
        self.with_timeout(what, place, size, reading).await
    }

    async fn upload(&self, place: &Path, content: Vec<u8>) -> Result<Object, Error> {
        let bytes = content.len() as u64;
        let kept = self.request("written", place, bytes, self.objects.put(place, PutPayload::from(content))).await?;
        Ok(Object { bytes, etag: kept.e_tag })
    }

    /// Runs a request with a timeout for the transfer of `bytes` bytes.
    async fn request<T>(
        &self,
        what: &'static str,
        place: &Path,
        bytes: u64,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Error> {
        let work = async { request.await.map_err(|error| self.request_error(what, place, &error)) };
        self.with_timeout(what, place, bytes, work).await
    }

    /// Runs `work` with a timeout for the transfer of `bytes` bytes.
    async fn with_timeout<T>(
        &self,
        what: &'static str,
        place: &Path,
        bytes: u64,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let waited = self.timeout * 2 + Duration::from_secs(bytes / MIN_BYTES_PER_SECOND);
        let silent = |_| Error::TimedOut { place: self.display_path(place), what, waited };
        timeout(waited, work).await.map_err(silent)?
    }

    fn request_error(&self, what: &'static str, place: &Path, error: &object_store::Error) -> Error {
        Error::Refused { place: self.display_path(place), what, said: error::cause(error) }
    }

    fn object_path(&self, person: &Person, file: &str) -> Path {
        file.split('/').fold(self.root.clone().join(person.folder()), Path::join)
    }

    fn display_path(&self, place: &Path) -> String {
        format!("{}/{place}", self.bucket)
    }

    fn invalid_export(&self, person: &Person, reason: String) -> Error {
        let place = self.display_path(&self.root.clone().join(person.folder()));
        Error::Foreign { place, person: person.as_str().to_owned(), reason }
    }
}

/// If a variable of the environment would make `object_store` panic, returns the reason. The text contains the name of
/// the variable. It doesn't contain the value, because the value may be a secret.
fn unusable_variable(builder: &AmazonS3Builder) -> Option<String> {
    let variables = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let mut aws = variables.filter(|(name, _)| name.starts_with("AWS_"));
    if let Some((name, _)) = aws.find(|(_, value)| value.to_string_lossy().contains(char::is_control)) {
        return Some(format!("`{name}` contains a control character"));
    }
    let set = |key| builder.get_config_value(&key);
    if let Some((_, name)) = ADDRESSES.into_iter().find(|(key, _)| set(*key).is_some_and(|value| !is_http_url(&value)))
    {
        return Some(format!("`{name}` is not an address such as `https://s3.example.com`"));
    }
    let is_wrong_path = |path: String| !is_http_url(&format!("http://host{path}")) || !path.starts_with('/');
    if set(AmazonS3ConfigKey::ContainerCredentialsRelativeUri).is_some_and(is_wrong_path) {
        return Some("`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` is not a path such as `/v2/credentials`".to_owned());
    }
    let is_wrong_region = |region: String| !is_http_url(&format!("https://s3.{region}.amazonaws.com"));
    if set(AmazonS3ConfigKey::Region).is_some_and(is_wrong_region) {
        return Some("`AWS_REGION` or `AWS_DEFAULT_REGION` is not a region such as `eu-central-1`".to_owned());
    }
    None
}

/// Whether `text` is a URL to which a request can be sent. The URL must use `http` or `https` and contain a host.
fn is_http_url(text: &str) -> bool {
    let is_http =
        |address: http::Uri| address.host().is_some() && matches!(address.scheme_str(), Some("http" | "https"));
    text.parse::<http::Uri>().is_ok_and(is_http) && Url::parse(text).is_ok_and(|address| address.has_host())
}
