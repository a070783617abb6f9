#!/usr/bin/env python3
"""Checks the wording of the texts that people read (docs/style.md).

python3 tests/wording/check.py           # the whole project; prints the places of each group or file above its limit
python3 tests/wording/check.py FILE...   # every place in these files, regardless of the limits

It reports words and sentence patterns that readers had to read twice, each with a plain alternative. A limit is a
number of places per 1,000 words, because the same words are sometimes right.
"""

import ast
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# The maximum number of places per 1,000 words: in all files of a group together, and in one file with more words than
# SMALL_FILE.
LIMITS = {"docs": (1, 5), "messages": (2, 5), "comments": (1, 5)}
SMALL_FILE = 300

AFTER_WHAT = (
    "is was are were be has had have it you they no the an? each every others this that its fits belongs stands does do "
    "can may of lies leaves comes? came becomes remains somebody nobody all"
).replace(" ", "|")
AFTER_WHERE = "an?|the|it|no|none|one|they|there|you|that|two|more|some|any|nothing|somebody|nobody|all|both"

# Each item is a name, a pattern, and a reason with an alternative. The case of letters is ignored.
PATTERNS = [
    (name, re.compile(pattern, re.IGNORECASE), advice)
    for name, pattern, advice in [
        (
            "heading",
            r"^#+ (what|who|which)\b.*(?<!\?)$",
            "a heading names a thing or a task: `Filters`, `Exclude an application`",
        ),
        (
            "what-clause",
            rf"\bwhat ({AFTER_WHAT})\b",
            "a clause hides the thing: use a noun, such as `the result`, `filters`, `redacted text`",
        ),
        ("where for if", rf"\bwhere ({AFTER_WHERE})\b", "`where` is for places: use `if` or `when`"),
        ("tell", r"\b(tell|tells|told|telling)\b", "use `show`, `report`, `return` or `print`"),
        (
            "who as a subject",
            r"\b(whoever|whatever|whichever)\b"
            r"|(^|[.;:,] |\bfor |\bof |\bto )who (is|asks|may|looks|knows|can|gets|holds|has)\b",
            "name the person or part: `you`, `the caller`, `anyone with access`",
        ),
        (
            "is no",
            r"(?<!\bthere )\b(is|are|was|were) no\b(?! longer)|\b(is|are|was|were|has|have|had) none\b",
            "negate the verb: `isn't`, `doesn't have`",
        ),
        ("stand", r"\b(stands?|stood)\b", "use `is`, `appears` or `is listed`"),
        ("go on", r"\b(go|goes|went|going) on\b", "use `continue` or `keep running`"),
        (
            "old word",
            r"\b(beside|anew|meanwhile|likewise|unasked|therein|thereof|thereby|alike|nobody|somebody|everybody|persons)\b",
            "use a modern word: `with`, `again`, `next to`, `also`, `people`, `anyone`",
        ),
        ("else", r"[,;] else\b", "use `otherwise` or a new sentence"),
        ("but for", r"\b(but for|nothing but|all but)\b", "use `except` or `only`"),
        ("private term", r"\b(houses?|rooms?|storeys?|desks?)\b", "use the usual term: `app`, `module`, `layer`, `queue`"),
        (
            "vague phrase",
            r"\bwhole or not there\b|\bas it is\b|\bof it\b",
            "state the rule, or repeat the noun: `atomic`, `unchanged`, `of the file`",
        ),
    ]
]

CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]+>")
# A quotation, such as a question to an assistant or a sentence to avoid.
QUOTE = re.compile(r'"[^"\n]{1,200}"|“[^”\n]{1,200}”')
RUST_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |b?r(?P<hashes>\#*)"(?P<raw>.*?)"(?P=hashes)
      |b?"(?P<text>(?:\\.|[^"\\])*)"
      |b?'(?:\\.[^']*|[^\\'\n])'""",
    re.DOTALL | re.VERBOSE,
)
# A type whose documentation becomes the text of `--help` or the description of a parameter.
SHOWN_TYPE = re.compile(
    r"(?:^///[^\n]*\n)*^#\[derive\([^\]]*\b(?:Parser|Args|Subcommand|ValueEnum|JsonSchema)\b.*?(?:^\}|^[^/\n]*;$)",
    re.DOTALL | re.MULTILINE,
)
LINE_COMMENT = {".sql": re.compile(r"^\s*--(.*)"), "": re.compile(r"^\s*#(?![!])(.*)")}
DESCRIPTION = re.compile(r'"?(?:description|title)"?: "?(.+)')
# The minimum number of words of a text in code that counts as a message.
MESSAGE_WORDS = 4
# Files that aren't checked, because they contain sample data.
EXCLUDED = re.compile(r"^fixtures/src/demo/notes/texts/")


class Text:
    """A line of prose: its group (docs, messages or comments), its number and its words."""

    def __init__(self, group, line, words):
        self.group, self.line = group, line
        self.words = CODE.sub(" X ", words)
        if group == "docs":
            self.words = QUOTE.sub(" X ", self.words)

    def places(self):
        """Yields the name of each pattern with the text that it matches and its advice."""
        for name, pattern, advice in PATTERNS:
            if name != "heading" or self.group == "docs":
                for found in pattern.finditer(self.words):
                    yield name, found.group(0).strip(), advice


def lines_of(group, first, text):
    return [Text(group, first + index, line) for index, line in enumerate(text.splitlines())]


def markdown(group, text):
    """Returns the lines outside of fenced code."""
    texts, is_code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            texts.append(Text(group, number, line))
    return texts


def rust(path, text):
    """Returns the comments, and the strings and documentation that can reach a user."""
    tests = len(text)
    if is_test(path):
        tests = 0
    elif found := re.search(r"^#\[cfg\(test\)\]\s*mod \w+ \{", text, re.MULTILINE):
        tests = found.start()
    shown = [found.span() for found in SHOWN_TYPE.finditer(text, 0, tests)]
    texts, line, position = [], 1, 0
    for token in RUST_TOKEN.finditer(text):
        line += text.count("\n", position, token.start())
        position = token.start()
        if (comment := token.group("comment")) is not None:
            is_shown = comment.startswith("///") and any(start <= position < end for start, end in shown)
            group = "messages" if is_shown else "comments"
            texts += lines_of(group, line, re.sub(r"^//[/!]?", "", comment))
            continue
        words = token.group("raw") or token.group("text") or ""
        # `\` at the end of a line joins this line with the next line.
        if token.start() < tests and len(words.split()) >= MESSAGE_WORDS:
            texts += lines_of("messages", line, words)
    return texts


def is_test(path):
    """Returns whether the file contains tests or generates sample data. The texts of such a file don't reach users."""
    parts = pathlib.PurePath(path).with_suffix("").parts
    return bool({"tests", "benches", "fixtures"}.intersection(parts)) or parts[-1].endswith("_tests")


def python(text):
    """Returns the comments and docstrings."""
    texts = line_comments(text, LINE_COMMENT[""])
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if docstring := ast.get_docstring(node, clean=False):
                texts += lines_of("comments", node.body[0].lineno, docstring)
    return texts


def line_comments(text, pattern):
    found = ((number, pattern.match(line)) for number, line in enumerate(text.splitlines(), 1))
    return [Text("comments", number, match.group(1)) for number, match in found if match]


def descriptions(text):
    """Returns the descriptions in a snapshot of a tool, which a model reads, or in a manifest."""
    found = ((number, DESCRIPTION.search(line)) for number, line in enumerate(text.splitlines(), 1))
    return [Text("messages", number, match.group(1)) for number, match in found if match]


def texts_of(path, text):
    """Returns the lines of prose in a file."""
    suffix = pathlib.PurePath(path).suffix
    if suffix == ".md":
        # The server sends the pages of `src` to assistants.
        return markdown("messages" if path.startswith("src/") else "docs", text)
    if suffix == ".rs":
        return rust(path, text)
    if suffix == ".py":
        return python(text)
    if suffix == ".sql":
        return line_comments(text, LINE_COMMENT[suffix])
    if suffix in (".sh", ".slt", ".toml", ".txt", ".yml") or path == ".ci/run":
        return line_comments(text, LINE_COMMENT[""])
    if path.startswith("tests/mcp/snapshots/tools/") or path == "release/manifest.json":
        return descriptions(text)
    return []


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.split("\0") if path and not EXCLUDED.search(path) and (ROOT / path).is_file()]


def check(files):
    """Returns one report for each group or file above its limit. `files` contains pairs of a path and a text."""
    words, places = collections.Counter(), collections.defaultdict(list)
    for path, text in files:
        for line in texts_of(path, text):
            key = line.group, path
            words[key] += len(line.words.split())
            places[key] += [f"{path}:{line.line}: {describe(*place)}" for place in line.places()]
    reports = []
    for group, (limit, file_limit) in LIMITS.items():
        of_group = [key for key in words if key[0] == group]
        reports += above(f"all {group}", limit, of_group, words, places)
        for key in of_group:
            if words[key] > SMALL_FILE:
                reports += above(f"{key[1]} ({group})", file_limit, [key], words, places)
    return reports


def above(name, limit, keys, words, places):
    count, size = sum(len(places[key]) for key in keys), sum(words[key] for key in keys)
    if count * 1000 <= limit * size:
        return []
    rate = f"{name}: {1000 * count / size:.1f} places per 1,000 words, and {limit:g} are allowed"
    return ["\n".join([*(place for key in keys for place in places[key]), rate])]


def describe(name, found, advice):
    return f"{name}: \"{found}\": {advice}"


def main(paths):
    if paths:
        for path in paths:
            relative = pathlib.Path(path).resolve().relative_to(ROOT).as_posix()
            for line in texts_of(relative, pathlib.Path(path).read_text(encoding="utf-8")):
                for place in line.places():
                    print(f"{path}:{line.line}: {describe(*place)}")
        return 0
    files = ((path, (ROOT / path).read_text(encoding="utf-8", errors="ignore")) for path in tracked_files())
    reports = check(files)
    print("\n\n".join(reports) + "\n\nSee docs/style.md." if reports else "wording: all texts are within their limits")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
