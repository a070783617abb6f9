"""Failures of checks, and functions that run child processes with a timeout."""

import os
import signal
import subprocess
import sys


class Failure(Exception):
    """A failed check, or a reason why the checks can't run."""


def holds(condition, complaint):
    """Raises a failure with the text `complaint` unless the condition is true."""
    if not condition:
        raise Failure(complaint)


def end_with_status(main, name):
    """Runs `main`. If it fails, prints the failure with the program's name and ends with status 1."""
    try:
        main()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(1)


def child(command, what, seconds, **how):
    """Runs `command` like `outcome`, and returns its standard output. Raises a failure if the status isn't 0."""
    status, output, complaint = outcome(command, what, seconds, **how)
    if status != 0:
        details = complaint or output
        raise Failure(f"{what} failed with status {status}" + (f":\n{details}" if details else ""))
    return output


def outcome(command, what, seconds, *, shown=False, environment=None, directory=None):
    """Runs `command`, and returns its status, standard output and standard error. With `shown`, also prints the output.

    If the command is still running after `seconds`, kills it with all processes that it started, and raises a failure.
    """
    pipe = None if shown else subprocess.PIPE
    running = subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        encoding="utf-8",
        errors="replace",
        env=environment,
        cwd=directory,
        start_new_session=True,
    )
    try:
        output, complaint = running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what} did not end within {seconds} s") from None
    finally:
        kill(running)
    return running.returncode, (output or "").strip(), (complaint or "").strip()


def kill(running):
    """Kills a running process with its children. Children that keep running would keep the pipes open."""
    if running.poll() is not None:
        return
    if os.name == "posix":
        os.killpg(running.pid, signal.SIGKILL)
    else:
        running.kill()
    running.wait()
