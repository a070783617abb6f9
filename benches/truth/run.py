"""Measures how many facts servers state in their answers to time-tracker users, and how many tokens the answers take.

    python3 benches/truth/run.py [--program target/release/dayledger] [--only NAME] [--write]

Six histories are generated in ManicTime's format. The correct answers to the questions about a history are computed
from the model of the history, by the rules of `docs/spec/time.md` and without any server. Fifteen of the questions are
those that people ask most. Each server has a plan for each question: at most five calls, and the positions of the facts
in their answers. The calls are those of a client that knows the tools' descriptions. The outcomes of reading these
positions are:

  stated                           the fact itself, to the precision of its text
  derivable                        numbers that add up to the fact
  incomplete, and says so          the fact is missing, and the answer says that something is missing
  error                            an error
  incomplete, and doesn't say so   the fact is missing, and the answer doesn't say so
  wrong                            something different
  not available                    the server doesn't contain the fact

The tokens of the tools' names, descriptions and schemas, of the server's instructions, and of calls and answers are
counted. Each distinct call is made once per session. A tool counts as found if it is among the first three tools that
are ranked by the words of the question. For every everyday question, dayledger must state all facts in at most two
answers of less than 2,500 tokens each, with a tool that is found. Otherwise the run fails.

Plans contain no mistakes, so the cost of finding the right statement isn't measured. This favours servers that are
queried with SQL.

It needs Linux, Python 3.11, and the registry of Python packages on the first run. It takes half a minute. Packages and
all answers are kept in `target/truth`. `--write` updates the tables in `docs/figures.md`.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path += [str(ROOT / "benches" / "compare"), str(ROOT / "tests" / "clients")]

import finding
import installation
import inventing
import pages
import scoring
import tables
import writing
from asking import Process
from client import Session, written
from failure import Failure, child, end_with_status
from questions import QUESTIONS
from servers import dayledger, sqlite
from surroundings import environment

SERVERS = [dayledger, sqlite]
KEPT = ROOT / "target" / "truth"
PAGE = ROOT / "docs" / "figures.md"
MARKS = "truth"
COUNT_SECONDS = 120
MOST_CALLS = 5
FIRST_TOOLS = 3
EVERYDAY, FEW_CALLS, FEW_TOKENS = "everyday", 2, 2_500


def ask(server, history, questions, command, surroundings):
    """Returns a server's answers to the questions about one history."""
    with Process(command, surroundings) as process:
        session = Session(process)
        return {
            "tools": session.shown_tools(),
            "questions": [answered(server, session, history, question) for question in questions],
        }


def answered(server, session, history, question):
    told = {"name": question.name, "history": question.history, "wording": question.wording}
    plan = server.PLANS.get(question.name)
    if plan is None:
        return {**told, "outcome": "not available", "seen": [], "calls": [], "found": False}
    if len(plan.calls) > MOST_CALLS:
        raise Failure(f"{server.NAME} has more than {MOST_CALLS} calls for `{question.name}`")
    answers = [session.call(*call) for call in plan.calls]
    outcome, seen = scoring.score(server, answers, plan, question.facts(history))
    telling = plan.calls[plan.places[0].call][0]
    return {
        **told,
        "outcome": outcome,
        "seen": [[str(fact), str(read)] for fact, read in seen],
        "calls": [[written(*call), answer.text] for call, answer in zip(plan.calls, answers, strict=True)],
        "found": telling in finding.ranked(session.tools, question.wording)[:FIRST_TOOLS],
    }


def measure(programs, scratch, only):
    """Returns the answers of each server by its name. `programs` maps the names of servers to their programs."""
    found = {server.NAME: {"tools": "", "questions": []} for server in SERVERS}
    for invent in inventing.HISTORIES:
        history = invent()
        questions = [question for question in QUESTIONS if question.history == history.name and only in question.name]
        folder, surroundings = scratch / history.name, environment(scratch / f"home-{history.name}")
        writing.write(history, folder, pathlib.Path(surroundings["HOME"]))
        for server in SERVERS:
            print(f"asking {server.NAME} about {history.name}", flush=True)
            command = server.command(programs[server.NAME], folder, history)
            told = ask(server, history, questions, command, {**surroundings, "TZ": history.clock.zone})
            found[server.NAME]["tools"] = found[server.NAME]["tools"] or told["tools"]
            found[server.NAME]["questions"] += told["questions"]
    return found


def counter(interpreter, scratch):
    """Returns a function that counts the tokens of texts."""

    def count(texts):
        file = scratch / "texts.json"
        file.write_text(json.dumps(texts), encoding="utf-8")
        return json.loads(child([interpreter, HERE / "tokens.py", file], "counting tokens", COUNT_SECONDS))

    return count


def figures(told, count):
    """Returns the figures of one server."""
    calls = {(question["history"], call): answer for question in told["questions"] for call, answer in question["calls"]}
    texts = list(dict.fromkeys([told["tools"], *(call for _, call in calls), *calls.values()]))
    tokens = dict(zip(texts, count(texts), strict=True))
    tools, stated = tokens[told["tools"]], sum(question["outcome"] == "stated" for question in told["questions"])
    once = sum(tokens[call] + tokens[answer] for (_, call), answer in calls.items())
    each = sum(tokens[call] + tokens[answer] for question in told["questions"] for call, answer in question["calls"])
    asked = sum(1 for question in told["questions"] if question["calls"])
    return {
        "outcomes": {name: sum(q["outcome"] == name for q in told["questions"]) for name in scoring.OUTCOMES},
        "questions": len(told["questions"]),
        "found": sum(question["found"] for question in told["questions"]),
        "tools": tools,
        "answer": statistics.median(tokens[answer] for answer in calls.values()),
        "call": statistics.median(tokens[call] for _, call in calls),
        "session": (tools + once) / max(stated, 1),
        "single": (tools * asked + each) / max(stated, 1),
    }


def unanswered(questions, count):
    """Returns the everyday questions that fail: more than two calls, an answer of more than 2,500 tokens, or a tool
    that isn't found.
    """
    asked = [question for question in questions if question["history"] == EVERYDAY]
    sizes = [count([answer for _, answer in question["calls"]]) for question in asked]
    return [
        question["name"]
        for question, tokens in zip(asked, sizes, strict=True)
        if question["outcome"] != "stated"
        or not question["found"]
        or len(tokens) > FEW_CALLS
        or max(tokens) >= FEW_TOKENS
    ]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    program = ROOT / "target" / "release" / "dayledger"
    parser.add_argument("--program", type=pathlib.Path, default=program, help="dayledger [default: target/release/dayledger]")
    parser.add_argument("--only", default="", help="only questions whose name holds this")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    if given.write and given.only:
        parser.error("only a whole run is written into the page")
    return given


def main():
    given = options()
    if sys.platform != "linux" or sys.version_info < (3, 11):
        raise Failure("this needs Linux and Python 3.11")
    if not given.program.is_file():
        raise Failure(f"there is no `{given.program}`; run `cargo build --release`, or name it with `--program`")
    if given.write:
        pages.around(PAGE, MARKS)
    KEPT.mkdir(parents=True, exist_ok=True)
    programs = {server.NAME: server.program(given.program.resolve(), KEPT, HERE / "packages") for server in SERVERS}
    of_tokens = installation.python(KEPT, "tokens", HERE / "packages")
    with tempfile.TemporaryDirectory(prefix="dayledger-truth-") as scratch:
        told = measure(programs, pathlib.Path(scratch), given.only)
        count = counter(of_tokens, pathlib.Path(scratch))
        counted = {name: figures(of, count) for name, of in told.items()}
        missed = unanswered(told[dayledger.NAME]["questions"], count)
    (KEPT / "answers.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    part = tables.whole(counted, told)
    if given.write:
        pages.put(PAGE, MARKS, part)
        print("wrote docs/figures.md")
    else:
        print(f"\n{part}")
    if missed:
        raise Failure(f"dayledger doesn't answer everyday questions in two short calls: {', '.join(missed)}")


if __name__ == "__main__":
    end_with_status(main, "truth")
