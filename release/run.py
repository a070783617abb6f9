"""Makes all files of a release on one Linux machine, from the checked-out commit.

    python3 release/run.py [--into target/releases] [--jobs N]

It needs the Rust toolchain, a C compiler, git, Python 3.11, and Debian 12 or later with its packages and those of PyPI, npm
and crates.io; it installs missing ones. It writes to `dist` of the folder: an archive for each system, packages for Debian
and RPM, the source code, the bundle for clients, bills of materials (`*.cdx.json`), and `SHA256SUMS`, signed if the
environment contains a key (`sign.py`). If `Cargo.toml` contains the address of the repository, it also writes `server.json`
for the registry of MCP servers, and to `manifests` those of winget, Scoop, Homebrew and the AUR. The same commit and
compilers give the same bytes. Then it unpacks everything in another folder, checks it and runs it (`verify.py`), under Wine
if it is for Windows. A cold run takes an hour and a half on two cores, and 8 GB.
"""

import argparse
import os
import pathlib
import shutil

import archives
import builds
import contents
import debian
import linux_packages
import manifests
import mcpb
import project
import registry
import sign
import verify
from cargo import WINDOWS
from failure import Failure, end_with_status, holds

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "target" / "releases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if changed := builds.said("git", "status", "--porcelain"):
        raise Failure(f"what is released is a commit, and this checkout has changes:\n{changed}")
    into, when = arguments.into.resolve(), builds.committed()
    builds.check_zone_data(when)
    dist = into / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)

    programs = {builds.LINUX: builds.linux(into, arguments.jobs), WINDOWS: builds.windows(into, arguments.jobs)}
    facts = project.read()
    said = contents.version(programs[builds.LINUX])
    holds(said == facts.version, f"the program says version {said}, and `Cargo.toml` says {facts.version}")
    beside = contents.beside(programs[builds.LINUX], into)
    for target, program in programs.items():
        folder = contents.folder(facts.archive(target), target, program, beside, into)
        if target == WINDOWS:
            archives.zip_folder(folder, dist / f"{folder.name}.zip", when)
        else:
            archives.tar_gz(folder, dist / f"{folder.name}.tar.gz", when, into)
            linux_packages.pack(facts, folder, into, dist, when)
        shutil.copy(folder / contents.BILL, dist / f"{folder.name}.cdx.json")
    builds.pack_source(facts, dist)
    tool = mcpb.Tool(into)
    legal = {name: beside / name for name in contents.LEGAL}
    packed = mcpb.pack(tool, {program.name: program for program in programs.values()}, legal, facts, into, when)
    shutil.move(packed, dist / mcpb.NAME)
    if facts.has_address:
        registry.describe(dist / mcpb.NAME, facts, dist)
        registry.validate(dist, into)
        write_manifests(facts, dist, into)
    else:
        print("left out: `server.json` and the manifests, because `repository` in Cargo.toml is a placeholder", flush=True)
    digests = sign.write_digests(dist)
    if key := os.environ.get(sign.VARIABLE):
        debian.install({"minisign": "minisign"})
        sign.sign(dist, key)
    else:
        print(f"left out: the signature of `SHA256SUMS`, because {sign.VARIABLE} is not set", flush=True)
    verify.everything(dist, facts, tool, into)
    print(digests, end="")


def write_manifests(facts, dist, into):
    """Writes and validates the manifests of package managers. They aren't part of the release: each goes to its manager."""
    folder = into / "manifests"
    shutil.rmtree(folder, ignore_errors=True)
    for name in manifests.validate(manifests.write(facts, dist, folder), into):
        print(f"not validated: `{name}`, because its schema can't be reached", flush=True)


if __name__ == "__main__":
    end_with_status(main, "release")
