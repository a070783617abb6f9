"""Faults of a worker while it runs a statement."""

import contextlib
import os
import signal

import machines


class Killed:
    name = "killed"

    def begin(self, _, process):
        os.killpg(process.pid, signal.SIGKILL)

    def end(self, _, process):
        """The process has ended."""


class CutOff:
    name = "cut off from the network"

    def begin(self, number, _):
        machines.ip("link", "set", f"dl{number}", "down")

    def end(self, number, _):
        machines.ip("link", "set", f"dl{number}", "up")


class HeldUp:
    name = "paused without an error"

    def begin(self, _, process):
        os.killpg(process.pid, signal.SIGSTOP)

    def end(self, _, process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)


FAULTS = [Killed(), CutOff(), HeldUp()]
