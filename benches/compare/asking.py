"""Sends queries to a process one by one. Measures the time of each answer and the peak memory of the process."""

import contextlib
import json
import os
import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import time

from failure import Failure, kill

END_SECONDS = 10
END_OF_INPUT = "\x04"
PROMPT = re.compile(r"^(dayledger> | +-> )+", re.MULTILINE)


class Process:
    """A process that answers each line with one line of JSON.

    Each query is sent after the previous answer was read, so that no answer waits while its time is measured.
    """

    def __init__(self, command, environment, *, typed=False):
        """Starts the process. With `typed`, its input is a terminal instead of a pipe."""
        self.what = f"`{' '.join(pathlib.Path(part).name for part in command[:2])}`"
        self.typed = typed
        # For each answer: its time since the start, and its duration. Also the peak memory in bytes up to the last
        # answer.
        self.at, self.took, self.peak = [], [], None
        self.complaints = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.lines = queue.SimpleQueue()
        ours, theirs = terminal() if typed else os.pipe()[::-1]
        self.input = os.fdopen(ours, "w", encoding="utf-8")
        self.start = time.perf_counter()
        self.running = subprocess.Popen(
            [str(part) for part in command],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=self.complaints,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        kill(self.running)
        self.complaints.close()

    def read(self):
        """Records the time of each line immediately, in a separate thread."""
        with self.running.stdout as lines:
            for line in lines:
                self.lines.put((time.perf_counter() - self.start, line))
        self.lines.put((time.perf_counter() - self.start, None))

    def ask(self, text, seconds):
        """Returns the answer to a query, or None if it didn't arrive in time.

        The time of the first query includes the start of the process.
        """
        said = time.perf_counter() - self.start if self.at else 0.0
        self.say(text)
        try:
            at, line = self.lines.get(timeout=seconds)
        except queue.Empty:
            # If its input is a terminal, the process doesn't end after an error, but waits for the next line.
            if "error: " in self.complaint():
                raise Failure(f"{self.what} gives no answer{self.complaint()}") from None
            return None
        if line is None:
            raise Failure(f"{self.what} ended before it had answered{self.complaint()}")
        self.at.append(at)
        self.took.append(at - said)
        self.peak = peak(self.running.pid)
        return json.loads(line)

    def say(self, text):
        try:
            self.input.write(text)
            self.input.flush()
        except BrokenPipeError:
            raise Failure(f"{self.what} ended early{self.complaint()}") from None

    def end(self):
        """Closes the input and waits for the process to end."""
        if self.typed:
            self.say(END_OF_INPUT)
        else:
            self.input.close()
        try:
            self.running.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.what} goes on {END_SECONDS} s after its last answer") from None
        if self.running.returncode != 0:
            raise Failure(f"{self.what} failed with status {self.running.returncode}{self.complaint()}")

    def complaint(self):
        self.complaints.seek(0)
        said = PROMPT.sub("", self.complaints.read()).strip()
        return f":\n{said}" if said else ""


def terminal():
    """Returns the two ends of a terminal without echo."""
    # Windows has neither module.
    import pty
    import termios

    ours, theirs = pty.openpty()
    mode = termios.tcgetattr(theirs)
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    return ours, theirs


def peak(pid):
    """Returns the sum of the peak memory of a process and its child processes.

    Only Linux reports the peak memory of running processes. Child processes count, because `dayledger sql` runs
    statements in a separate process.
    """
    peaks = [own_peak(process) for process in family(pid)]
    return None if None in peaks else sum(peaks)


def family(pid):
    """Returns the ids of a process and all of its descendants."""
    found = [pid]
    for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [process for child in children.read_text().split() for process in family(int(child))]
    return found


def own_peak(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else None
