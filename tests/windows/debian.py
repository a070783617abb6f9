"""Installs the Debian packages that the checks need, unless they are installed already."""

import os
import pathlib
import re
import shutil
import subprocess

from failure import Failure, outcome

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The exit status if a package can't be installed. `.ci/run` distinguishes it from a failed check.
LACKING = 77
UPDATE_SECONDS, INSTALL_SECONDS = 120, 600
QUICKLY = ["-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20"]

# A compiler with the sources of its standard library. Debian has a package of the standard library only for its own
# system, so the libraries for other targets are built from these sources.
COMPILER = {
    "/usr/bin/rustc": "rustc-web",
    "/usr/bin/cargo": "cargo-web",
    "/usr/lib/rustlib/src/rust/library/std": "rust-web-src",
}
LINKER = {"x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64-win32"}
WINE = {"wine": "wine", "wineserver": "wine"}


class Lacking(Failure):
    """A failure because this machine lacks a file that can't be installed on it."""


def install(needed):
    """Ensures that programs and folders exist. `needed` maps each of them to the package that contains it."""
    packages = missing(needed)
    if not packages:
        return
    named = " ".join(packages)
    by_hand = f"install Debian's `{named}` by hand (`apt-get install --no-install-recommends {named}`)"
    if not shutil.which("apt-get"):
        raise Lacking(f"this machine has no `apt-get`; {by_hand}")
    if os.geteuid() != 0:
        raise Lacking(f"only root may install packages; {by_hand}")
    print(f"installing {named}", flush=True)
    surroundings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt("update", UPDATE_SECONDS, surroundings, by_hand)
    apt("install", INSTALL_SECONDS, surroundings, by_hand, "--yes", "--no-install-recommends", *packages)
    if still := missing(needed):
        raise Lacking(f"`{' '.join(still)}` of this machine's Debian brings something else than it should; {by_hand}")


def compiler():
    """Ensures that the compiler and the linker are installed, and that the compiler is new enough."""
    install({**COMPILER, **LINKER})
    needed = re.search(r'^rust-version = "([\d.]+)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE).group(1)
    found = re.search(r"\d+\.\d+", subprocess.run(["/usr/bin/rustc", "--version"], capture_output=True, text=True).stdout)
    if not found or number(found.group()) < number(needed):
        version = found.group() if found else "unknown"
        raise Lacking(f"Rust {needed} is needed, and Debian's `rustc-web` is {version} here; its security updates bring newer ones")


def number(version):
    return tuple(int(part) for part in version.split(".")[:2])


def missing(needed):
    """Returns the packages of missing files. Each package appears once."""
    return sorted({package for what, package in needed.items() if not (pathlib.Path(what).exists() or shutil.which(what))})


def apt(command, seconds, surroundings, by_hand, *arguments):
    try:
        status, output, complaint = outcome(
            ["apt-get", command, *QUICKLY, *arguments], f"`apt-get {command}`", seconds, environment=surroundings
        )
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        raise Lacking(f"{failure}; {by_hand}") from None
    if status != 0:
        last = "\n".join((complaint or output).splitlines()[-3:])
        raise Lacking(f"`apt-get {command}` ended with status {status}; {by_hand}\n{last}")
