"""What a failed check is, and how child processes are run: never without an end."""

import os
import signal
import subprocess
import sys


class Failure(Exception):
    """A check that failed, or what keeps the checks from being made."""


def holds(condition, complaint):
    """A check: what must be so, and what is said where it is not."""
    if not condition:
        raise Failure(complaint)


def end_with_status(main, name):
    """Runs a program; a failure is told in its name, and its status is 1."""
    try:
        main()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(1)


def child(command, what, seconds, **how):
    """Runs `command` as `outcome` does and gives its standard output; a status other than 0 is a failure."""
    status, output, complaint = outcome(command, what, seconds, **how)
    if status != 0:
        said = complaint or output
        raise Failure(f"{what} failed with status {status}" + (f":\n{said}" if said else ""))
    return output


def outcome(command, what, seconds, *, shown=False, environment=None, directory=None):
    """Runs `command` and gives its status, standard output and standard error; where `shown`, both go through.

    What has not ended after `seconds` is killed with all that it started, and is a failure.
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
    """Kills a process that still runs; its own children hold the pipes open, so they go too."""
    if running.poll() is not None:
        return
    if os.name == "posix":
        os.killpg(running.pid, signal.SIGKILL)
    else:
        running.kill()
    running.wait()
