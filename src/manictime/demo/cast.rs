//! What the demo's person works with: applications, projects, sites. All invented, but for names of products.

/// What an application is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Editor,
    Browser,
    Terminal,
    Database,
    ApiClient,
    Containers,
    Mail,
    Chat,
    Call,
    Sheet,
    Letter,
    Slides,
    Reader,
    Design,
    Outline,
    Folder,
    Music,
    Small,
    LockScreen,
}

/// An application as ManicTime groups it.
#[derive(Debug)]
pub(super) struct App {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    /// The name on the laptop, whose Windows speaks German.
    pub(super) german: Option<&'static str>,
    pub(super) color: &'static str,
    pub(super) used_for: Use,
}

const fn app(key: &'static str, name: &'static str, color: &'static str, used_for: Use) -> App {
    App { key, name, german: None, color, used_for }
}

const fn localised(
    key: &'static str,
    name: &'static str,
    german: &'static str,
    color: &'static str,
    used_for: Use,
) -> App {
    App { key, name, german: Some(german), color, used_for }
}

pub(super) const APPS: [App; 34] = [
    app("code.exe;visual studio code", "Visual Studio Code", "2C7AC4", Use::Editor),
    app("rustrover64.exe;rustrover", "RustRover", "C2442E", Use::Editor),
    app("devenv.exe;microsoft visual studio", "Microsoft Visual Studio", "7B4FA3", Use::Editor),
    app("chrome.exe;google chrome", "Google Chrome", "DDAA33", Use::Browser),
    app("firefox.exe;firefox", "Firefox", "E66000", Use::Browser),
    app("msedge.exe;microsoft edge", "Microsoft Edge", "1B8A9E", Use::Browser),
    app("windowsterminal.exe;windows terminal", "Windows Terminal", "3B3B3B", Use::Terminal),
    app("powershell.exe;windows powershell", "Windows PowerShell", "1F3F77", Use::Terminal),
    app("dbeaver.exe;dbeaver", "DBeaver", "6A4B33", Use::Database),
    app("ssms.exe;sql server management studio", "SQL Server Management Studio", "B89B2B", Use::Database),
    app("bruno.exe;bruno", "Bruno", "E0A94A", Use::ApiClient),
    app("docker desktop.exe;docker desktop", "Docker Desktop", "2496ED", Use::Containers),
    app("outlook.exe;microsoft outlook", "Microsoft Outlook", "0F6CBD", Use::Mail),
    app("thunderbird.exe;thunderbird", "Thunderbird", "1F5EA8", Use::Mail),
    app("slack.exe;slack", "Slack", "611F69", Use::Chat),
    app("signal.exe;signal", "Signal", "3A76F0", Use::Chat),
    app("ms-teams.exe;microsoft teams", "Microsoft Teams", "5059C9", Use::Call),
    app("zoom.exe;zoom meetings", "Zoom Meetings", "2D8CFF", Use::Call),
    app("excel.exe;microsoft excel", "Microsoft Excel", "1D6F42", Use::Sheet),
    app("winword.exe;microsoft word", "Microsoft Word", "2B579A", Use::Letter),
    app("powerpnt.exe;microsoft powerpoint", "Microsoft PowerPoint", "C43E1C", Use::Slides),
    app("acrobat.exe;adobe acrobat", "Adobe Acrobat", "B3261E", Use::Reader),
    app("sumatrapdf.exe;sumatrapdf", "SumatraPDF", "D9C21A", Use::Reader),
    app("figma.exe;figma", "Figma", "A259FF", Use::Design),
    app("obsidian.exe;obsidian", "Obsidian", "7C3AED", Use::Outline),
    app("onenote.exe;microsoft onenote", "Microsoft OneNote", "80397B", Use::Outline),
    localised(
        "explorer.exe;microsoft windows operating system",
        "Windows Explorer",
        "Windows-Explorer",
        "F2C14E",
        Use::Folder,
    ),
    app("totalcmd64.exe;total commander", "Total Commander", "8796A5", Use::Folder),
    app("spotify.exe;spotify", "Spotify", "1DB954", Use::Music),
    localised("notepad.exe;notepad", "Notepad", "Editor", "7FB7D9", Use::Small),
    localised("calculatorapp.exe;calculator", "Calculator", "Rechner", "5C6B7A", Use::Small),
    localised("snippingtool.exe;snipping tool", "Snipping Tool", "Snipping Tool (Ausschneiden)", "C96A8A", Use::Small),
    app("keepassxc.exe", "KeePassXC", "4E9A4E", Use::Small),
    localised(
        "lockapp.exe;microsoft windows operating system",
        "Windows Default Lock Screen",
        "Windows-Standardsperrbildschirm",
        "9AA5AD",
        Use::LockScreen,
    ),
];

/// A project: where its time goes, what its files and issues are called.
#[derive(Debug)]
pub(super) struct Project {
    pub(super) client: &'static str,
    pub(super) repository: &'static str,
    pub(super) billable: bool,
    /// Below the repository's folder.
    pub(super) sources: &'static [&'static str],
    /// Full paths, local and on the office server.
    pub(super) papers: &'static [&'static str],
    pub(super) topics: &'static [&'static str],
    /// Second tags beside the client.
    pub(super) tags: &'static [&'static str],
}

pub(super) const PROJECTS: [Project; 4] = [
    Project {
        client: "Northwind Ltd",
        repository: "aurora-billing",
        billable: true,
        sources: &[
            r"src\invoice.rs",
            r"src\invoice\rounding.rs",
            r"src\tax\rates.rs",
            r"src\dunning.rs",
            r"src\api\routes.rs",
            r"src\main.rs",
            r"tests\credit_notes.rs",
            r"migrations\0042_dunning_levels.sql",
            "Cargo.toml",
            "README.md",
        ],
        papers: &[
            r"\\fileserver\clients\Northwind\Billing rules 2025.docx",
            r"\\fileserver\clients\Northwind\Rate card.xlsx",
            r"C:\Users\alex\Documents\Northwind\Estimate phase 2.xlsx",
            r"C:\Users\alex\Documents\Northwind\Kick-off.pptx",
            r"C:\Users\alex\Documents\Northwind\Dunning process.pdf",
        ],
        topics: &[
            "Round tax per line, not per invoice",
            "Dunning level resets after partial payment",
            "Credit notes for split invoices",
            "Export ledger as CSV",
            "Idempotent webhooks",
        ],
        tags: &["Development", "Development", "Code review", "Billing, phase 2"],
    },
    Project {
        client: "Harbour Foods",
        repository: "tidewater-stock",
        billable: true,
        sources: &[
            r"src\Stock.Api\Controllers\BatchController.cs",
            r"src\Stock.Api\Program.cs",
            r"src\Stock.Core\ExpiryRules.cs",
            r"src\Stock.Core\Forecast.cs",
            r"tests\Stock.Core.Tests\ForecastTests.cs",
            r"web\src\pages\Inventory.tsx",
            r"web\src\components\BatchTable.tsx",
            r"deploy\compose.yaml",
        ],
        papers: &[
            r"\\fileserver\clients\Harbour\Warehouse layout.pdf",
            r"\\fileserver\clients\Harbour\Stock count.xlsx",
            r"C:\Users\alex\Documents\Harbour\Forecast model.xlsx",
            r"C:\Users\alex\Documents\Harbour\Offer barcode scanners.docx",
            r"C:\Users\alex\Documents\Harbour\Steering committee.pptx",
        ],
        topics: &[
            "Batch expiry ignores frozen goods",
            "Forecast jumps on public holidays",
            "Inventory page is slow above 10,000 rows",
            "Scan two pallets at once",
        ],
        tags: &["Development", "Development", "Support", "Requirements"],
    },
    Project {
        client: "Lindqvist & Partners",
        repository: "casefile-search",
        billable: true,
        sources: &[
            r"indexer\pipeline.py",
            r"indexer\ocr.py",
            r"indexer\entities.py",
            r"search\query.py",
            r"tests\test_query.py",
            r"notebooks\recall.ipynb",
            "pyproject.toml",
        ],
        papers: &[
            r"C:\Users\alex\Documents\Lindqvist\Data protection agreement.pdf",
            r"C:\Users\alex\Documents\Lindqvist\Recall measurements.xlsx",
            r"C:\Users\alex\Documents\Lindqvist\Workshop notes.docx",
            r"\\fileserver\clients\Lindqvist\Sample cases.pdf",
        ],
        topics: &[
            "Umlauts break phrase queries",
            "OCR confidence per page",
            "Rank newer rulings higher",
            "Redact names in previews",
        ],
        tags: &["Development", "Research", "Development"],
    },
    Project {
        client: "Internal",
        repository: "studio-site",
        billable: false,
        sources: &[r"content\posts\rounding.md", r"content\about.md", r"layouts\index.html", r"assets\main.css"],
        papers: &[
            r"C:\Users\alex\Documents\Office\Invoices.xlsx",
            r"C:\Users\alex\Documents\Office\Offer template.docx",
            r"C:\Users\alex\Documents\Office\VAT return.pdf",
            r"C:\Users\alex\Documents\Office\Travel expenses.xlsx",
        ],
        topics: &["Post about rounding money", "New contact page", "Dark mode"],
        tags: &["Administration", "Website", "Accounting"],
    },
];

/// A page of a site: `{repo}`, `{topic}` and `{n}` stand for the project's repository, one of its topics, a number.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) host: &'static str,
    pub(super) title: &'static str,
    pub(super) path: &'static str,
}

const fn page(host: &'static str, title: &'static str, path: &'static str) -> Page {
    Page { host, title, path }
}

/// Pages for work.
pub(super) const WORK_PAGES: [Page; 26] = [
    page(
        "github.com",
        "{topic} by alex-builds · Pull Request #{n} · alex-builds/{repo}",
        "/alex-builds/{repo}/pull/{n}",
    ),
    page(
        "github.com",
        "{topic} by alex-builds · Pull Request #{n} · alex-builds/{repo}",
        "/alex-builds/{repo}/pull/{n}/files",
    ),
    page("github.com", "{topic} · Issue #{n} · alex-builds/{repo}", "/alex-builds/{repo}/issues/{n}"),
    page("github.com", "Issues · alex-builds/{repo}", "/alex-builds/{repo}/issues"),
    page("github.com", "Actions · alex-builds/{repo}", "/alex-builds/{repo}/actions"),
    page("github.com", "Notifications", "/notifications"),
    page("docs.rs", "rust_decimal - Rust", "/rust_decimal/latest/rust_decimal/"),
    page("docs.rs", "axum::extract - Rust", "/axum/latest/axum/extract/index.html"),
    page("docs.rs", "chrono::NaiveDate - Rust", "/chrono/latest/chrono/struct.NaiveDate.html"),
    page("doc.rust-lang.org", "Iterator in std::iter - Rust", "/std/iter/trait.Iterator.html"),
    page(
        "stackoverflow.com",
        "sql - Sum overlapping intervals per day - Stack Overflow",
        "/questions/41027{n}/sum-overlapping-intervals",
    ),
    page(
        "stackoverflow.com",
        "rust - How to round half up - Stack Overflow",
        "/questions/63110{n}/how-to-round-half-up",
    ),
    page(
        "stackoverflow.com",
        "c# - EF Core query is slow with Include - Stack Overflow",
        "/questions/59012{n}/ef-core-slow-include",
    ),
    page(
        "learn.microsoft.com",
        "Minimal APIs overview | Microsoft Learn",
        "/en-us/aspnet/core/fundamentals/minimal-apis",
    ),
    page("www.postgresql.org", "PostgreSQL: Documentation: 17: Window Functions", "/docs/17/tutorial-window.html"),
    page("docs.python.org", "re — Regular expression operations — Python documentation", "/3/library/re.html"),
    page("developer.mozilla.org", "CSS grid layout - CSS | MDN", "/en-US/docs/Web/CSS/CSS_grid_layout"),
    page("mail.alexbuilds.example", "Inbox ({n}) – Webmail", "/mail/inbox"),
    page("mail.alexbuilds.example", "{topic} – Webmail", "/mail/thread/18c{n}"),
    page("calendar.alexbuilds.example", "Calendar – Week", "/week"),
    page("harbourfoods.example.net", "Inventory – Tidewater staging", "/staging/inventory?page={n}"),
    page("jira.northwind.example", "AUR-{n} {topic} - Jira", "/browse/AUR-{n}"),
    page("jira.northwind.example", "AUR board - Agile Board - Jira", "/secure/RapidBoard.jspa?rapidView=12"),
    page("www.google.com", "{topic} - Google Search", "/search?q={n}"),
    page("translate.example.org", "{topic} - Translate", "/text/{n}f3c"),
    page("localhost", "{repo} (local)", ":8080/?debug={n}"),
];

/// Pages that have nothing to do with work.
pub(super) const LEISURE_PAGES: [Page; 9] = [
    page("news.ycombinator.com", "Hacker News", "/news"),
    page("news.ycombinator.com", "Show: a tiny interval library | Hacker News", "/item?id=4120{n}"),
    page("www.youtube.com", "Restoring a 1962 sailing dinghy, part {n} - YouTube", "/watch?v=dq{n}x"),
    page("en.wikipedia.org", "Leap second - Wikipedia", "/wiki/Leap_second"),
    page("en.wikipedia.org", "Tide table - Wikipedia", "/wiki/Tide_table"),
    page("weather.example.org", "Weather Hamburg – next 7 days", "/hamburg"),
    page("www.bahn.de", "Hamburg – Copenhagen, timetable", "/buchung/fahrplan?id={n}"),
    page("shop.paddle.example", "Touring kayaks – Paddle Shop", "/kayaks?page={n}"),
    page("recipes.example.org", "Rye bread, slow – Recipes", "/bread/rye/{n}"),
];

/// Web-site groups that come from misread `file:` addresses.
pub(super) const JUNK_SITES: [(&str, &str); 2] =
    [("c", "file://c/Users/alex/Downloads/report.html"), ("d", "file://d/scans/page.html")];

/// Notes on tagged time.
pub(super) const NOTES: [&str; 6] = [
    "agreed on next steps, minutes by mail",
    "waiting for test data",
    "pair session, continue tomorrow",
    "found the cause, fix in review",
    "call took longer than planned",
    "offer goes out on Friday",
];

/// Conversations of the chat.
pub(super) const CHANNELS: [&str; 6] = [
    "general (Channel)",
    "aurora-dev (Channel)",
    "tidewater-support (Channel)",
    "random (Channel)",
    "releases (Channel)",
    "Priya (DM)",
];
