"""Tests the patterns of the wording check, and which parts of a file it reads.

python3 -m unittest discover -s tests/wording
"""

import unittest

import check

# For each pattern, a sentence that the pattern matches, and a similar sentence that the pattern doesn't match.
SENTENCES = {
    "heading": ("## What can be off", "## Known limitations"),
    "what-clause": ("Shows what is redacted.", "Shows the redacted text."),
    "where for if": ("Where it finds none, pass a folder.", "The folder where dayledger writes."),
    "tell": ("The answer tells the total.", "The response contains the total."),
    "who as a subject": ("Whoever asks gets rows.", "People who use a timesheet see rows."),
    "is no": ("The value is no date, or there are none.", "There is no such date, and it is no longer used."),
    "stand": ("The name stands in the file.", "The standard name is in the file."),
    "go on": ("The export goes on.", "The export goes into a folder."),
    "old word": ("The log lies beside the file.", "The besides of a file."),
    "else": ("Uses the tag, else the rule.", "Uses something else."),
    "but for": ("All days but for Sunday.", "All days, but not Sunday."),
    "private term": ("This room owns the rules.", "There is a roomy module."),
    "vague phrase": ("Use a part of it.", "Use a part of the file."),
}


def texts(path, text):
    return [(line.group, line.line, line.words.strip()) for line in check.texts_of(path, text)]


class Patterns(unittest.TestCase):
    def names(self, sentence):
        return [name for line in check.texts_of("docs/page.md", sentence) for name, _, _ in line.places()]

    def test_each_pattern_finds_its_sentence_and_not_the_similar_one(self):
        self.assertEqual([name for name, _, _ in check.PATTERNS], list(SENTENCES))
        for name, (flagged, fine) in SENTENCES.items():
            with self.subTest(name):
                self.assertIn(name, self.names(flagged))
                self.assertEqual([], self.names(fine))

    def test_capitals_do_not_matter(self):
        self.assertEqual(["old word"], self.names("Nobody uses it."))

    def test_code_links_and_quotations_are_ignored(self):
        self.assertEqual([], self.names('`what is told`, [page](what-is-told.md) and "What is it?" are fine.'))

    def test_a_question_can_be_a_heading(self):
        self.assertEqual([], self.names("## Which file decides?"))


class Texts(unittest.TestCase):
    def test_a_page_has_text_outside_of_fences(self):
        page = "One.\n```sh\nwhat is\n```\nTwo.\n"
        self.assertEqual([("docs", 1, "One."), ("docs", 5, "Two.")], texts("docs/page.md", page))

    def test_rust_has_comments_and_messages_and_its_tests_have_no_messages(self):
        source = (
            "/// Returns a name.\n"
            'const A: &str = "the name is not known";\n'
            "const B: char = '\"'; // A quote.\n"
            'const C: &str = r#"a "raw" text\nof two lines"#;\n'
            "#[cfg(test)]\nmod tests {\n"
            '    const D: &str = "a text of a test";\n'
            "}\n"
        )
        expected = [
            ("comments", 1, "Returns a name."),
            ("messages", 2, "the name is not known"),
            ("comments", 3, "A quote."),
            ("messages", 4, 'a "raw" text'),
            ("messages", 5, "of two lines"),
        ]
        self.assertEqual(expected, texts("src/name.rs", source))
        self.assertEqual({"comments"}, {group for group, _, _ in texts("tests/cli/name.rs", source)})

    def test_documentation_of_options_and_parameters_is_a_message(self):
        source = (
            "/// Shows a day.\n"
            "#[derive(Debug, clap::Args)]\n"
            "struct Arguments {\n"
            "    /// The date.\n"
            "    date: String, // Why.\n"
            "}\n"
            "/// Returns it.\n"
            "#[derive(Debug)]\n"
            "struct Other;\n"
        )
        expected = [
            ("messages", 1, "Shows a day."),
            ("messages", 4, "The date."),
            ("comments", 5, "Why."),
            ("comments", 7, "Returns it."),
        ]
        self.assertEqual(expected, texts("src/name.rs", source))

    def test_a_short_string_is_not_a_message(self):
        self.assertEqual([], texts("src/name.rs", 'const A: &str = "what is it";'))

    def test_scripts_and_sql_have_comments(self):
        self.assertEqual([("comments", 1, "A row.")], texts("sql/views/tags.sql", "-- A row.\nSELECT 1;\n"))
        self.assertEqual([("comments", 2, "Builds.")], texts("release/run.sh", "#!/bin/sh\n# Builds.\n"))
        self.assertEqual([("comments", 1, "Rows.")], texts("tests/sql/files/tags.slt", "# Rows.\nquery I\nSELECT 1\n"))
        module = '"""Runs."""\n# Why.\nX = "what is"\n'
        self.assertEqual([("comments", 2, "Why."), ("comments", 1, "Runs.")], texts("release/run.py", module))

    def test_snapshots_of_tools_and_pages_of_the_server_have_messages(self):
        snapshot = '  "description": "Lists tags.",\n  "type": "object"\n'
        self.assertEqual([("messages", 1, 'Lists tags.",')], texts("tests/mcp/snapshots/tools/get_tags.snap", snapshot))
        self.assertEqual([("messages", 1, "Start here.")], texts("src/mcp/resources/guide.md", "Start here.\n"))


class Limits(unittest.TestCase):
    def test_texts_within_the_limits_pass(self):
        self.assertEqual([], check.check([("docs/page.md", "plain words " * 600 + "\nNobody.\n")]))

    def test_a_group_above_its_limit_is_reported_with_each_place(self):
        (report,) = check.check([("docs/page.md", "Plain words.\nNobody.\n")])
        self.assertIn('docs/page.md:2: old word: "Nobody": use a modern word', report)
        self.assertIn("all docs: 333.3 places per 1,000 words, and 1 are allowed", report)

    def test_a_long_file_has_a_limit_of_its_own(self):
        files = [("docs/plain.md", "plain words " * 2000), ("docs/page.md", "plain words " * 160 + "\nNobody.\n" * 3)]
        (report,) = check.check(files)
        self.assertIn("docs/page.md (docs): 9.3 places per 1,000 words, and 5 are allowed", report)


if __name__ == "__main__":
    unittest.main()
