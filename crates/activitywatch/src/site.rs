//! Finds the site of a URL, the browser of a bucket, and the name of a file.

use url::{Host, Url};

/// The site of a URL that has neither a host nor a scheme.
const NO_SITE: &str = "(none)";

/// Returns the site of a URL: the host in lower case and Punycode, without the user, the port and a leading `www.`. If
/// the URL has no host, returns its scheme, such as `about`.
pub(crate) fn site_of(address: &str) -> String {
    let address = address.trim();
    match Url::parse(address) {
        Ok(url) => match url.host() {
            Some(Host::Domain(name)) if !name.is_empty() => {
                let name = name.to_lowercase();
                name.strip_prefix("www.").unwrap_or(&name).to_owned()
            }
            Some(Host::Ipv4(host)) => host.to_string(),
            Some(Host::Ipv6(host)) => format!("[{host}]"),
            _ => url.scheme().to_owned(),
        },
        Err(_) => NO_SITE.to_owned(),
    }
}

/// A browser that has a bucket of tabs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Browser {
    /// A browser that `ActivityWatch`'s web interface knows.
    Known(&'static Known),
    /// Another browser. The text is its name in the id of the bucket, in lower case.
    Named(String),
}

/// A browser, with its name in the ids of buckets and with the names of its applications. All names are in lower case.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Known {
    id: &'static str,
    names: Names,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Names {
    /// The application's name contains one of these texts.
    Contain(&'static [&'static str]),
    /// The application's name begins with one of these texts.
    Begin(&'static [&'static str]),
    /// The application's name is one of these texts.
    Are(&'static [&'static str]),
}

/// The browsers of `browser_appname_regex` in aw-webui.
static BROWSERS: [Known; 8] = [
    Known { id: "firefox", names: Names::Contain(&["firefox", "librewolf", "waterfox", "nightly"]) },
    Known {
        id: "chrome",
        names: Names::Begin(&["google-chrome", "google chrome", "google_chrome", "googlechrome", "chrome", "chromium"]),
    },
    Known {
        id: "edge",
        names: Names::Begin(&["microsoft-edge", "microsoft edge", "microsoft_edge", "microsoftedge", "msedge"]),
    },
    Known { id: "brave", names: Names::Contain(&["brave"]) },
    Known { id: "opera", names: Names::Contain(&["opera"]) },
    Known { id: "vivaldi", names: Names::Contain(&["vivaldi"]) },
    Known { id: "safari", names: Names::Begin(&["safari"]) },
    Known { id: "arc", names: Names::Are(&["arc", "arc.exe"]) },
];

impl Browser {
    /// Returns the browser of a bucket with an id such as `aw-watcher-web-firefox_laptop`. Returns `None` if the id
    /// doesn't contain a browser.
    pub(crate) fn from_bucket(id: &str) -> Option<Self> {
        let id = id.to_lowercase();
        let name = id.strip_prefix("aw-watcher-web-").map(|rest| rest.split('_').next().unwrap_or(rest));
        let known = BROWSERS.iter().find(|known| name.unwrap_or(&id).contains(known.id));
        known.map(Self::Known).or_else(|| name.filter(|name| !name.is_empty()).map(|name| Self::Named(name.to_owned())))
    }

    /// Whether the application with this name is this browser.
    pub(crate) fn is_application(&self, application: &str) -> bool {
        let application = application.to_lowercase();
        match self {
            Self::Named(name) => application.contains(name),
            Self::Known(known) => match known.names {
                Names::Contain(names) => names.iter().any(|name| application.contains(name)),
                Names::Begin(names) => names.iter().any(|name| application.starts_with(name)),
                Names::Are(names) => names.contains(&application.as_str()),
            },
        }
    }
}

/// Returns the last part of a path. The separator can be `/` or `\`.
pub(crate) fn file_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches(['/', '\\']);
    let name = trimmed.rsplit(['/', '\\']).next().unwrap_or(trimmed);
    if name.is_empty() { path } else { name }
}

/// Whether the title of a browser window shows that the window is private.
pub(crate) fn is_private_title(title: &str) -> bool {
    ["Private Browsing", "Incognito", "InPrivate"].iter().any(|mark| title.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_is_the_host_or_the_scheme() {
        for (address, site) in [
            ("https://www.shop.example/cart?id=7", "shop.example"),
            ("https://Shop.EXAMPLE/", "shop.example"),
            ("https://anna:secret@intern.example:8443/", "intern.example"),
            ("https://münchen.example/", "xn--mnchen-3ya.example"),
            ("http://[2001:db8::1]:8080/", "[2001:db8::1]"),
            ("http://192.0.2.7/", "192.0.2.7"),
            ("about:blank", "about"),
            ("data:text/html,hello", "data"),
            ("file:///home/anna/notes.html", "file"),
            ("chrome://settings/", "settings"),
            ("moz-extension://1234/popup.html", "1234"),
            ("no address", "(none)"),
            ("", "(none)"),
        ] {
            assert_eq!(site_of(address), site, "{address}");
        }
    }

    #[test]
    fn browser_is_recognised_by_its_bucket_and_its_windows() {
        let browser = |id: &str| Browser::from_bucket(id).unwrap();
        let firefox = browser("aw-watcher-web-firefox_desk");
        assert!(firefox.is_application("firefox.exe") && firefox.is_application("LibreWolf"));
        assert!(!firefox.is_application("Google Chrome") && !firefox.is_application("Code.exe"));
        assert!(browser("aw-watcher-web-chrome").is_application("Google-chrome"));
        assert!(browser("aw-watcher-web-arc_mac").is_application("Arc"));
        assert!(!browser("aw-watcher-web-arc_mac").is_application("Archive"));
        assert!(browser("aw-watcher-web-zen_desk").is_application("zen.exe"));
        assert_eq!(Browser::from_bucket("other"), None);
    }

    #[test]
    fn file_name_is_the_last_part_of_a_path() {
        for (path, name) in [(r"C:\Users\anna\x.rs", "x.rs"), ("/home/anna/notes", "notes"), ("x", "x"), ("/", "/")] {
            assert_eq!(file_name(path), name);
        }
    }
}
