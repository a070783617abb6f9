"""Asks a process a row of questions, and takes the time of each answer and the most memory that the process took."""

import dataclasses
import json
import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import time

from failure import Failure, kill

END_SECONDS = 10


@dataclasses.dataclass
class Answers:
    """What a process answered until it had said all, or took too long for one answer and was stopped."""

    # Seconds from the start of the process.
    at: list = dataclasses.field(default_factory=list)
    said: list = dataclasses.field(default_factory=list)
    # The most memory in bytes, where the system tells.
    peak: int | None = None
    stopped: bool = False

    def took(self, index):
        """The seconds between the answer before and this one; of the first, since the start of the process."""
        return self.at[index] - (self.at[index - 1] if index else 0.0)


class Process:
    """A process that answers with one line of JSON each."""

    def __init__(self, command, environment):
        self.what = f"`{' '.join(pathlib.Path(part).name for part in command[:2])}`"
        self.complaints = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.answers = Answers()
        self.start = time.perf_counter()
        self.running = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.complaints,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        kill(self.running)
        self.running.stdout.close()
        self.complaints.close()

    def read(self):
        """Takes the time of each line at once, whatever else goes on."""
        for line in self.running.stdout:
            self.lines.put((time.perf_counter() - self.start, line))
        self.lines.put((time.perf_counter() - self.start, None))

    def say(self, text):
        try:
            self.running.stdin.write(text)
            self.running.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"{self.what} ended early{self.complaint()}") from None

    def wait(self, seconds):
        """The next answer, or None where it did not come in time."""
        try:
            at, line = self.lines.get(timeout=seconds)
        except queue.Empty:
            self.answers.stopped = True
            return None
        if line is None:
            raise Failure(f"{self.what} ended before it had answered{self.complaint()}")
        answer = json.loads(line)
        self.answers.peak = peak(self.running.pid) or self.answers.peak
        self.answers.at.append(at)
        self.answers.said.append(answer)
        return answer

    def end(self):
        self.running.stdin.close()
        try:
            self.running.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.what} goes on {END_SECONDS} s after its last answer") from None
        if self.running.returncode != 0:
            raise Failure(f"{self.what} failed with status {self.running.returncode}{self.complaint()}")

    def complaint(self):
        self.complaints.seek(0)
        said = self.complaints.read().strip()
        return f":\n{said}" if said else ""


def answers(command, text, count, seconds, environment):
    """The answers to `text`, written at once, for each of which the process has so many seconds."""
    with Process(command, environment) as process:
        process.say(text)
        process.running.stdin.close()
        for _ in range(count):
            if process.wait(seconds) is None:
                return process.answers
        process.end()
        return process.answers


def peak(pid):
    """The most memory that a process had at any time, which Linux alone tells of one that goes on."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else None
