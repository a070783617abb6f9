//! What the columns of the model mean, by name: a name means the same in every table.

/// Tables that no file of `sql/` makes, in a history or in an archive, with what a row is.
const TABLES: &[(&str, &str)] = &[
    ("activities", "A row is an activity of any timeline as recorded, with resolved names, keys, role and device."),
    ("app_usage", "A row is the recorded time of an application in one local hour."),
    ("day_summary", "A row is a local day with activity, over all devices."),
    ("devices", "A row is a device that recorded."),
    ("document_usage", "A row is the recorded time of a document in one local hour."),
    ("hourly_totals", "A row is ManicTime's own total of one name in one local hour of one timeline."),
    ("meetings", "A row is a meeting of the user's calendars; asked with a range of start_local."),
    ("rules", "A row is a rule of the user's configuration, in the order in which they decide."),
    ("screenshots", "A row is a screenshot without its pixels; asked with a range of taken_local."),
    ("segments", "A row is a segment: what a person would name as one thing."),
    ("tag_usage", "A row is the recorded time of a tag in one local hour."),
    (
        "timeline_extents",
        "A row is a timeline with its number of activities, their first and last instant, and the hours of its totals.",
    ),
    ("timelines", "A row is a timeline: activities of one role on one device."),
    ("website_usage", "A row is the recorded time of a site in one local hour."),
    ("weekday_pattern", "A row is a weekday of a month, with the active seconds of its days."),
];

/// Names of columns with their meaning.
const COLUMNS: &[(&str, &str)] = &[
    ("active", "the stretches of active use, united"),
    ("active_seconds", "seconds of active use, each counted once over all devices"),
    ("activities", "how many activities it holds"),
    ("activity_id", "unique within its timeline"),
    ("application", "display name of the application"),
    ("applications", "the applications with the most seconds, each once"),
    ("calendar", "name of the calendar"),
    ("category", "what kind of work it is, by a rule"),
    ("color", "the user's colour, six hex digits"),
    ("common_name", "name of the group over all devices"),
    ("data_source", "'hourly': ManicTime's totals; 'activities': computed from activities"),
    ("date", "local date"),
    ("device", "name of the device"),
    ("document", "file URI, else the path as recorded"),
    ("documents", "the documents with the most seconds, each once"),
    ("dot_net", "version of .NET on the device"),
    ("end_local", "local end, exclusive"),
    ("end_utc", "end in UTC"),
    ("environment_id", "ManicTime's id of the device"),
    ("file", "name of the file"),
    ("first_activity", "local start of the day's first piece"),
    ("first_hour", "first local hour with totals of ManicTime's own"),
    ("first_local", "first local start"),
    ("group_color", "colour of the group"),
    ("group_key", "key of the group"),
    ("group_name", "name of the group"),
    ("group_type", "ManicTime's type of the group"),
    ("has_image", "whether the full image is there"),
    ("has_thumbnail", "whether the thumbnail is there"),
    ("height", "pixels"),
    ("hour_local", "start of the local hour"),
    ("is_active", "ManicTime's own flag"),
    ("is_all_day", "whether it is on dates, or lasts a day or longer"),
    ("is_billable", "whether the tag is billable"),
    ("is_outlived", "whether activities of the hour are no longer kept, or not all"),
    ("is_tagged", "whether a tag holds it"),
    ("is_tracked", "whether the device has a computer-usage timeline"),
    ("key", "identifies an application, site, file or tag across languages"),
    ("last_activity", "local end of the day's last piece"),
    ("last_hour", "last local hour with totals of ManicTime's own"),
    ("last_local", "last local end"),
    ("linked_tags", "tags linked one by one"),
    ("meeting", "what the calendar calls it"),
    ("meetings", "meetings that share five minutes or half of theirs with it, the three with most"),
    ("monitor", "number of the screen"),
    ("name", "display name"),
    ("notes", "the user's notes"),
    ("number", "place among the rules, from 1"),
    ("on_subject", "those of its seconds that have its subject themselves"),
    ("operating_system", "operating system of the device"),
    ("path", "path of the file; of a tag, its parts in order"),
    ("program", "first part of a key, in lower case"),
    ("project", "what it was for, by a rule"),
    ("related_activity_id", "application activity of the same device that it belongs to"),
    ("role", "'applications', 'documents', 'websites', 'tags', 'computer_usage' or 'other'"),
    ("rule", "name of the first rule that fits"),
    ("schema_name", "ManicTime's type of the timeline"),
    ("screenshot_ref", "what get_screenshot takes"),
    ("seconds", "length in seconds, measured in UTC"),
    ("sequence", "running number, where the name of the file tells"),
    ("site", "site, such as github.com"),
    ("start_local", "local start"),
    ("start_utc", "start in UTC"),
    ("state", "'active', 'away', 'locked', 'off' or 'unknown'"),
    ("subject", "what it is about"),
    ("subject_kind", "'tag', 'project', 'category' or 'application'"),
    ("tag", "full list of tags"),
    ("tag_path", "parts of the tag list, in order"),
    ("tags", "tags that overlap, most first"),
    ("task", "part of the project, by a rule"),
    ("taken_local", "local time"),
    ("taken_utc", "time in UTC, where the name of the file tells"),
    ("timeline_id", "id of the timeline"),
    ("title", "window title, URL or path, as recorded"),
    ("titles", "the titles with the most seconds, each once"),
    ("top_application", "application with the most active time"),
    ("totals_until", "end of the day's totals, for an hour after them"),
    ("url", "full address"),
    ("website", "site with the most time in the segment"),
    ("websites", "the sites with the most seconds, each once"),
    ("weekday", "0 = Sunday ... 6 = Saturday"),
    ("width", "pixels"),
];

/// What a column of the model means, in any table; `None` where its name says it.
pub fn column_meaning(column: &str) -> Option<&'static str> {
    meaning(COLUMNS, column)
}

/// What a row of a table is that no file of `sql/` makes.
pub fn table_meaning(table: &str) -> Option<&'static str> {
    meaning(TABLES, table)
}

/// What `name` means in `list`.
fn meaning(list: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}
