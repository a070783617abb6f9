//! What a writer can be asked to write: timelines, groups, activities.

use super::clock::Span;

/// A timeline, as `Ar_Timeline` describes it.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// `ReportId`: any number, unique in the history.
    pub report: i64,
    /// `SchemaName`, such as `ManicTime/Applications`.
    pub schema: &'a str,
    /// `BaseSchemaName`, such as `ManicTime/Generic/Group`.
    pub base_schema: &'a str,
    /// `EnvironmentId`: the device it belongs to.
    pub environment: &'a str,
    /// `Name`; automatic timelines have none.
    pub name: Option<&'a str>,
}

impl<'a> Timeline<'a> {
    /// A computer-usage timeline.
    pub const fn computer_usage(report: i64, environment: &'a str) -> Self {
        Self::grouped(report, "ManicTime/ComputerUsage", environment)
    }

    /// An applications timeline.
    pub const fn applications(report: i64, environment: &'a str) -> Self {
        Self::grouped(report, "ManicTime/Applications", environment)
    }

    /// A documents timeline: web sites and files.
    pub const fn documents(report: i64, environment: &'a str) -> Self {
        Self::grouped(report, "ManicTime/Documents", environment)
    }

    /// A tags timeline.
    pub const fn tags(report: i64, environment: &'a str) -> Self {
        let (schema, base_schema) = ("ManicTime/Tags", "ManicTime/Generic/GroupList");
        Self { report, schema, base_schema, environment, name: Some("Tags") }
    }

    const fn grouped(report: i64, schema: &'a str, environment: &'a str) -> Self {
        Self { report, schema, base_schema: "ManicTime/Generic/Group", environment, name: None }
    }
}

/// What a group groups: `ReportGroupType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// An application (1).
    Application,
    /// A file (2), with group type `ManicTime/Files`.
    File,
    /// A web site (3), with group type `ManicTime/WebSites`.
    WebSite,
    /// A state of the computer (4).
    ComputerState,
    /// A tag (5).
    Tag,
}

impl GroupKind {
    /// Returns the number that `ReportGroupType` holds.
    pub const fn report_group_type(self) -> i64 {
        match self {
            Self::Application => 1,
            Self::File => 2,
            Self::WebSite => 3,
            Self::ComputerState => 4,
            Self::Tag => 5,
        }
    }

    /// Returns `GroupType`, which only groups of a documents timeline have.
    pub const fn group_type(self) -> Option<&'static str> {
        match self {
            Self::File => Some("ManicTime/Files"),
            Self::WebSite => Some("ManicTime/WebSites"),
            Self::Application | Self::ComputerState | Self::Tag => None,
        }
    }
}

/// A group of a timeline: an application, a site, a file, a state, a tag.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// What it groups.
    pub kind: GroupKind,
    /// `Key`, not localised, unique in its timeline.
    pub key: &'a str,
    /// `Name`, possibly localised.
    pub name: &'a str,
    /// `Color`: six hex digits.
    pub color: &'a str,
    /// `FolderId`.
    pub folder: Option<i64>,
    /// `IsBillable`.
    pub billable: bool,
}

impl<'a> Group<'a> {
    /// An application with a key such as `chrome.exe;google chrome`.
    pub const fn application(key: &'a str, name: &'a str) -> Self {
        Self::new(GroupKind::Application, key, name)
    }

    /// A web site; the host is both key and name.
    pub const fn web_site(host: &'a str) -> Self {
        Self::new(GroupKind::WebSite, host, host)
    }

    /// A file: the full path is the key, the file's name the name.
    pub const fn file(path: &'a str, name: &'a str) -> Self {
        Self::new(GroupKind::File, path, name)
    }

    /// A state with a key such as `ManicTime/Active`.
    pub const fn state(key: &'a str, name: &'a str) -> Self {
        Self::new(GroupKind::ComputerState, key, name)
    }

    /// A single tag; its text is key and name.
    pub const fn tag(text: &'a str) -> Self {
        Self::new(GroupKind::Tag, text, text)
    }

    const fn new(kind: GroupKind, key: &'a str, name: &'a str) -> Self {
        Self { kind, key, name, color: "6FB5E4", folder: None, billable: false }
    }

    /// Sets the colour, six hex digits.
    #[must_use]
    pub const fn color(mut self, color: &'a str) -> Self {
        self.color = color;
        self
    }

    /// Puts the group into a folder.
    #[must_use]
    pub const fn folder(mut self, folder: i64) -> Self {
        self.folder = Some(folder);
        self
    }

    /// Marks the group as billable.
    #[must_use]
    pub const fn billable(mut self) -> Self {
        self.billable = true;
        self
    }
}

/// An activity of a timeline.
#[derive(Clone, Copy, Debug)]
pub struct Activity<'a> {
    /// `Name`: a window title, a URL, a path, a state, a joined tag list.
    pub name: &'a str,
    /// From when to when.
    pub span: Span,
    /// `GroupId`.
    pub group: Option<i64>,
    /// `GroupListId`.
    pub group_list: Option<i64>,
    /// `IsActive`.
    pub active: Option<bool>,
    /// `IsBillable`.
    pub billable: Option<bool>,
    /// `Notes`.
    pub notes: Option<&'a str>,
    /// `RelatedActivityId`: the activity of the applications timeline that a document row belongs to.
    pub related: Option<i64>,
}

impl<'a> Activity<'a> {
    /// An activity without group, notes or link.
    pub const fn new(name: &'a str, span: Span) -> Self {
        Self { name, span, group: None, group_list: None, active: None, billable: None, notes: None, related: None }
    }

    /// Sets the group.
    #[must_use]
    pub const fn group(mut self, group: i64) -> Self {
        self.group = Some(group);
        self
    }

    /// Sets the group list.
    #[must_use]
    pub const fn group_list(mut self, group_list: i64) -> Self {
        self.group_list = Some(group_list);
        self
    }

    /// Says whether the user was active.
    #[must_use]
    pub const fn active(mut self, active: bool) -> Self {
        self.active = Some(active);
        self
    }

    /// Says whether the time is billable.
    #[must_use]
    pub const fn billable(mut self, billable: bool) -> Self {
        self.billable = Some(billable);
        self
    }

    /// Adds notes.
    #[must_use]
    pub const fn notes(mut self, notes: &'a str) -> Self {
        self.notes = Some(notes);
        self
    }

    /// Links to an activity of the applications timeline.
    #[must_use]
    pub const fn related(mut self, activity: i64) -> Self {
        self.related = Some(activity);
        self
    }
}
