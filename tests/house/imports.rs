//! Which file uses what another file defines, read off the program text: through re-exports to where a name is defined.
//!
//! A file that declares another with `mod` does not use it by that. Test modules do not count.

use std::collections::{BTreeMap, BTreeSet};

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, File, Item, ItemMod, ItemUse, Macro, Token, UseTree};

use super::sources::{SourceFile, files};

/// `crate::activity::narrative` as its parts.
type Path = Vec<String>;

/// How far re-exports are followed; longer chains lead in a circle.
const MOST_STEPS: usize = 20;

/// A use of one file's names by another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) from: String,
    pub(super) to: String,
    /// What is used, as it is written.
    pub(super) name: String,
}

/// What a module holds.
#[derive(Default)]
struct Module {
    file: String,
    declared: BTreeSet<String>,
    /// Names that stand for others, with what they stand for.
    imported: BTreeMap<String, Path>,
    /// Modules all of whose names are here too.
    globs: Vec<Path>,
    /// What is named with a path, in this module.
    named: BTreeSet<Path>,
}

/// The modules of one crate, by their paths.
#[derive(Default)]
pub(super) struct Crate(BTreeMap<Path, Module>);

impl Crate {
    /// Reads the crate whose files lie below `folder`.
    pub(super) fn read(folder: &str) -> Self {
        Self::of(folder, &files(folder, "rs"))
    }

    fn of(folder: &str, files: &[SourceFile]) -> Self {
        let mut read = Self::default();
        for file in files.iter().filter(|file| !file.is_test() && !file.path.ends_with("main.rs")) {
            let inside = file.path.trim_start_matches(folder).trim_start_matches('/').trim_end_matches(".rs");
            let parts = inside.split('/').filter(|part| !matches!(*part, "lib" | "mod"));
            let path: Path = ["crate"].into_iter().chain(parts).map(str::to_owned).collect();
            let parsed: File = syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
            let mut reader = Reader { krate: &mut read, file: &file.path, module: path };
            reader.krate.0.entry(reader.module.clone()).or_default().file.clone_from(&file.path);
            reader.visit_file(&parsed);
        }
        read
    }

    /// Every use of one file's names by another, each once.
    pub(super) fn imports(&self) -> BTreeSet<Import> {
        let mut imports = BTreeSet::new();
        for (path, module) in &self.0 {
            let used = module.imported.values().chain(&module.named).chain(&module.globs);
            for name in used {
                let Some(to) = self.defined(path, name, MOST_STEPS) else { continue };
                if to != module.file {
                    imports.insert(Import { from: module.file.clone(), to, name: name.join("::") });
                }
            }
        }
        imports
    }

    /// The file that defines `name`, as it is written in the module `at`.
    fn defined(&self, at: &Path, name: &Path, steps: usize) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        let (mut place, mut rest) = match name.first()?.as_str() {
            "crate" => (vec!["crate".to_owned()], &name[1..]),
            "self" => (at.clone(), &name[1..]),
            "super" => (at[..at.len().checked_sub(1)?].to_vec(), &name[1..]),
            _ => (at.clone(), &name[..]),
        };
        while let Some((first, further)) = rest.split_first() {
            if first == "super" {
                place.pop();
                rest = further;
                continue;
            }
            let inner = [place.as_slice(), std::slice::from_ref(first)].concat();
            if self.0.contains_key(&inner) {
                (place, rest) = (inner, further);
                continue;
            }
            let module = self.0.get(&place)?;
            if module.declared.contains(first) {
                return Some(module.file.clone());
            }
            if let Some(target) = module.imported.get(first) {
                return self.defined(&place, &[target.as_slice(), further].concat(), steps);
            }
            let through = |glob: &Path| self.defined(&place, &[glob.as_slice(), rest].concat(), steps);
            let through = module.globs.iter().find_map(through);
            // What a macro declares is not read; what is named outright in a module is in its file all the same.
            let is_outright = place != *at || matches!(name[0].as_str(), "crate" | "self" | "super");
            return through.or_else(|| is_outright.then(|| module.file.clone()));
        }
        // A module by itself is nothing yet: whoever names it goes on to name what is in it. A function or macro may have
        // its name, though.
        let (last, before) = place.split_last()?;
        let target = self.0.get(before)?.imported.get(last).filter(|target| target.len() > 1)?;
        self.defined(&before.to_vec(), target, steps)
    }
}

/// Circles among files that use each other: each as the imports that tie it.
pub(super) fn circles(imports: &BTreeSet<Import>) -> Vec<Vec<&Import>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().insert(&import.to);
    }
    let reached = |start: &str| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![start.to_owned()]);
        while let Some(file) = left.pop() {
            for to in next.get(file.as_str()).into_iter().flatten() {
                if seen.insert((*to).to_owned()) {
                    left.push((*to).to_owned());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<String>> = next.keys().map(|file| (*file, reached(file))).collect();
    let mut circles: BTreeMap<Vec<&str>, Vec<&Import>> = BTreeMap::new();
    for import in imports {
        let back = |from: &str, to: &str| reach.get(from).is_some_and(|files| files.contains(to));
        if back(&import.to, &import.from) {
            let members: Vec<&str> =
                next.keys().filter(|file| back(file, &import.from) && back(&import.from, file)).copied().collect();
            circles.entry(members).or_default().push(import);
        }
    }
    circles.into_values().collect()
}

/// Reads what a file declares, imports and names.
struct Reader<'r> {
    krate: &'r mut Crate,
    file: &'r str,
    module: Path,
}

impl Reader<'_> {
    fn here(&mut self) -> &mut Module {
        self.krate.0.entry(self.module.clone()).or_default()
    }

    fn declare(&mut self, name: &syn::Ident) {
        self.here().declared.insert(name.to_string());
    }

    fn import(&mut self, tree: &UseTree, before: &Path) {
        let with = |name: &syn::Ident| [before.as_slice(), &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(&path.ident)),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.import(item, before)),
            UseTree::Glob(_) => self.here().globs.push(before.clone()),
            UseTree::Name(name) if name.ident == "self" => {
                let Some(last) = before.last().cloned() else { return };
                self.here().imported.insert(last, before.clone());
            }
            UseTree::Name(name) => {
                let target = with(&name.ident);
                self.here().imported.insert(name.ident.to_string(), target);
            }
            UseTree::Rename(rename) => {
                let target = with(&rename.ident);
                self.here().imported.insert(rename.rename.to_string(), target);
            }
        }
    }
}

/// Whether something is there for tests alone.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(it) => self.declare(&it.ident),
            Item::Enum(it) => self.declare(&it.ident),
            Item::Fn(it) => self.declare(&it.sig.ident),
            Item::Static(it) => self.declare(&it.ident),
            Item::Struct(it) => self.declare(&it.ident),
            Item::Trait(it) => self.declare(&it.ident),
            Item::Type(it) => self.declare(&it.ident),
            Item::Union(it) => self.declare(&it.ident),
            Item::Macro(it) => it.ident.iter().for_each(|name| self.declare(name)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if is_for_tests(&module.attrs) {
            return;
        }
        if module.content.is_some() {
            let (outer, file) = (self.module.clone(), self.file.to_owned());
            self.module.push(module.ident.to_string());
            self.here().file = file;
            visit::visit_item_mod(self, module);
            self.module = outer;
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.import(&item.tree, &Vec::new());
        }
    }

    /// Who may see a name is no use of it.
    fn visit_visibility(&mut self, _visibility: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Path = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 && path.leading_colon.is_none() {
            self.here().named.insert(parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(arguments) = parser.parse2(called.tokens.clone()) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
        visit::visit_macro(self, called);
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for folder in ["src", "udfs/src", "fixtures/src", "timesheet/src"] {
        for circle in circles(&Crate::read(folder).imports()) {
            let ties = circle.iter().map(|tie| format!("  {} -> {}: {}", tie.from, tie.to, tie.name));
            wrong.push(format!("a circle:\n{}", ties.collect::<Vec<_>>().join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_circle_is_seen_through_re_exports_and_not_where_one_file_only_declares_another() {
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let read = |files: &[SourceFile]| Crate::of("src", files).imports();
    let lib = file("src/lib.rs", "mod room;");
    let parent = |text| file("src/room/mod.rs", text);
    let below = file("src/room/below.rs", "pub struct Below;");
    let above = file("src/room/above.rs", "use super::Below; pub fn above(_: Below) {}");
    let through =
        read(&[lib, parent("mod above; mod below; pub use below::Below; pub use above::above;"), below, above]);
    let ends: Vec<_> = through.iter().map(|import| (import.from.as_str(), import.to.as_str())).collect();
    assert!(ends.contains(&("src/room/above.rs", "src/room/below.rs")), "{ends:?}");
    assert!(circles(&through).is_empty(), "{through:?}");

    for (parent_says, child_says) in [
        ("mod child; pub struct Parent; use child::Child;", "use super::Parent; pub struct Child(Parent);"),
        ("mod child; pub const SIZE: u8 = 1; fn go() { child::go() }", "pub fn go() -> u8 { super::SIZE }"),
        ("mod child; pub struct Parent; fn go() { vec![child::go()]; }", "pub fn go() { crate::room::Parent; }"),
    ] {
        let files = [parent(parent_says), file("src/room/child.rs", child_says)];
        assert_eq!(circles(&read(&files)).len(), 1, "{child_says}");
    }
    // Names that a macro declares, and a function beside a module of its name.
    for (parent_says, child_says) in [
        ("mod child; make! { LIMIT } fn go() { child::go() }", "pub fn go() { crate::room::LIMIT; }"),
        ("mod child; pub fn go() { child::child() }", "use crate::room; pub fn child() { room::go() }"),
    ] {
        let files = [parent(parent_says), file("src/room/child.rs", child_says)];
        assert_eq!(circles(&read(&files)).len(), 1, "{child_says}");
    }
    let named_alike = read(&[
        file("src/lib.rs", "mod room; mod other;"),
        parent("mod child; pub use child::child; use crate::other::Other;"),
        file("src/room/child.rs", "pub fn child() {}"),
        file("src/other.rs", "use crate::room::child; pub struct Other;"),
    ]);
    assert!(named_alike.iter().any(|import| import.from == "src/other.rs" && import.to == "src/room/child.rs"));
    let alone = [parent("mod child; pub struct Parent;"), file("src/room/child.rs", "use super::Parent;")];
    assert!(circles(&read(&alone)).is_empty());
    let tests = "pub struct Child; #[cfg(test)] mod tests { use super::super::Parent; }";
    let tested = [parent("mod child; pub struct Parent; use child::Child;"), file("src/room/child.rs", tests)];
    assert!(circles(&read(&tested)).is_empty());
}
