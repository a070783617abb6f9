"""Writes the figures of a run, and the facts that servers didn't state, as Markdown."""


def whole(counted, told):
    """Returns all results of a run: a comparison of the servers, then the facts that each server didn't state."""
    parts = [f"One run; tokens are those of `o200k_base`.\n\n{beside(counted)}"]
    for name, of in told.items():
        parts.append(f"### Not stated by {name}\n\n{losses(of['questions'])}\n\n{unfound(of['questions'])}")
    return "\n\n".join(parts)


def beside(counted):
    rows = [[outcome, *(str(of["outcomes"][outcome]) for of in counted.values())] for outcome in first(counted)["outcomes"]]
    rows.append(["right tool among the first three", *(f"{of['found']} of {of['questions']}" for of in counted.values())])
    rows.append(["tokens of a response, median", *(number(of["answer"]) for of in counted.values())])
    rows.append(["tokens of a call, median", *(number(of["call"]) for of in counted.values())])
    words = "tokens of tools (names, descriptions, parameters) and instructions"
    rows.append([words, *(number(of["tools"]) for of in counted.values())])
    rows.append(["tokens per stated fact, all questions in one session", *(number(of["session"]) for of in counted.values())])
    rows.append(["tokens per stated fact, one session per question", *(number(of["single"]) for of in counted.values())])
    return table([f"{first(counted)['questions']} questions", *counted], rows)


def losses(questions):
    lost = [question for question in questions if question["outcome"] != "stated"]
    if not lost:
        return "Nothing."
    rows = [[f"`{question['name']}`", question["wording"], question["outcome"], happened(question)] for question in lost]
    return table(["question", "wording", "outcome", "correct: returned"], rows)


def unfound(questions):
    names = ", ".join(f"`{question['name']}`" for question in questions if question["calls"] and not question["found"])
    return f"Questions whose right tool isn't among the first three: {names or 'none'}."


def happened(question):
    told = [f"{fact}: {read}" for fact, read in question["seen"]] or ["the server doesn't contain this"]
    return "; ".join(told).replace("|", "\\|").replace("\n", " ")


def first(counted):
    return next(iter(counted.values()))


def number(value):
    return f"{value:,.0f}"


def table(heads, rows):
    edges = ["---"] + ["---:" if len(heads) == 3 else "---"] * (len(heads) - 1)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, edges, *rows))
