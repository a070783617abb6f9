"""Writes the tables of a run as Markdown, and inserts them into the docs."""

from failure import Failure

# The columns with times.
KINDS = ("new", "again", "first", "cold")
RIVALS = ("SQLite", "DuckDB", "Polars")
QUESTIONS = {
    "active": "Active seconds by application: recorded time, clipped to the use of the computer",
    "recorded": "Recorded seconds by application: a plain sum",
}


def around(page, name):
    """Returns the text before and after the part with this name. Both texts include the part's markers."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    begin, end = (f"<!-- {name}: {edge} -->" for edge in ("begin", "end"))
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise Failure(f"`{page.name}` needs the marks `{begin}` and `{end}`, once each and in that order")
    return text[: text.index(begin) + len(begin)], text[text.index(end) :]


def put(page, name, part):
    """Replaces the part with this name."""
    before, after = around(page, name)
    page.write_text(f"{before}\n\n{part.strip()}\n\n{after}", encoding="utf-8")


def whole(measured):
    """Returns all results as Markdown."""
    parts = [machine(measured)]
    for history in measured["histories"]:
        parts.append(
            f"## {history['days']:,} days, {history['activities']:,} activities\n\n"
            f"ManicTime's file has {size(history['bytes'])}, the export of its activities "
            f"{size(history['exported_bytes'])}."
        )
        for question, rows in history["questions"].items():
            parts.append(f"### {QUESTIONS[question]}\n\n{comparison(rows, measured)}")
        parts.append(f"### Responses over MCP\n\n{served(history['served'], measured)}")
    parts.append(f"## Growth\n\n{growing(measured)}")
    return "\n\n".join(parts)


def comparison(rows, measured):
    lines = []
    for row in rows:
        own = row["engines"]["dayledger"]
        for name, took in row["engines"].items():
            ratio = "" if name == "dayledger" else times(took, own, measured)
            shown = [time(took, kind, measured) for kind in KINDS]
            lines.append([row["range"] if took is own else "", name, *shown, ratio, memory(took)])
    return table(["range", "engine", *KINDS, "vs. dayledger", "memory"], lines)


def served(tools, measured):
    rows = []
    for what, took in tools.items():
        rows.append([what, *(time(took, kind, measured) for kind in KINDS), memory(took)])
    return table(["response", *KINDS, "memory"], rows)


def growing(measured):
    rows = []
    for step in measured["growth"]:
        cells = [f"{step['activities']:,}"]
        for name in ("dayledger", *RIVALS):
            took = step["engines"].get(name)
            cells += [time(took, "first", measured), time(took, "again", measured)]
        rows.append(cells)
    heads = [f"{name}, {kind}" for name in ("dayledger", *RIVALS) for kind in ("first", "again")]
    return table(["activities", *heads], rows)


def machine(measured):
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    return f"One run on {measured['cores']} cores with a {measured['build']} build: {versions}."


def table(heads, rows):
    # Columns are right-aligned, because readers compare the numbers of a column.
    edges = ["---"] + ["---" if head == "engine" else "---:" for head in heads[1:]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, edges, *rows))


def time(took, kind, measured):
    if took is None:
        return f"> {measured['seconds']} s"
    return seconds(took[kind]) if kind in took else ""


def times(took, own, measured):
    """Returns the time as a multiple of dayledger's time. If the range is the whole history, only the times of the same
    query again can be compared.
    """
    if own is None:
        return ""
    kind = "new" if "new" in own else "again"
    ratio = rounded((took[kind] if took else measured["seconds"]) / own[kind])
    return f"{'×' if took else '> ×'} {ratio}"


def memory(took):
    return size(took["peak"]) if took and took.get("peak") else "–"


def seconds(value):
    return f"{rounded(value)} s" if value >= 0.995 else f"{rounded(value * 1000)} ms"


def size(octets):
    return f"{octets / 1e9:.1f} GB" if octets >= 1e9 else f"{rounded(octets / 1e6, 3)} MB"


def rounded(value, digits=2):
    """Rounds to significant digits, without exponents."""
    shown = float(f"{value:.{digits}g}")
    return f"{shown:,.0f}" if shown >= 10 ** (digits - 1) else f"{shown:g}"
