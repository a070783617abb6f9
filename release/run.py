"""Makes all files of a release on one Linux machine, from the checked-out commit.

    python3 release/run.py [--into target/releases] [--jobs N] [--repository https://github.com/OWNER/NAME]

It needs the Rust toolchain, a C compiler, git, Python 3.11, and Debian 12 or later with its packages and those of PyPI, npm
and crates.io; it installs missing ones. It writes to `dist` of the folder: an archive for each system, the bundle for
clients, their bills of materials (`*.cdx.json`), and `SHA256SUMS`. With the URL of the repository for the release, it also
writes `server.json` for the registry of MCP servers. The same commit and compilers give the same bytes. Then it unpacks
everything in another folder, checks it and runs it (`verify.py`), under Wine if it is for Windows. A cold run takes an hour
and a half on two cores, and 8 GB.
"""

import argparse
import hashlib
import os
import pathlib
import shutil

import archives
import builds
import contents
import mcpb
import project
import registry
import verify
from cargo import WINDOWS
from failure import Failure, end_with_status

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "target" / "releases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--repository")
    arguments = parser.parse_args()
    if changed := builds.said("git", "status", "--porcelain"):
        raise Failure(f"what is released is a commit, and this checkout has changes:\n{changed}")
    into, when = arguments.into.resolve(), builds.committed()
    builds.check_zone_data(when)
    dist = into / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)

    programs = {builds.LINUX: builds.linux(into, arguments.jobs), WINDOWS: builds.windows(into, arguments.jobs)}
    version = contents.version(programs[builds.LINUX])
    beside = contents.beside(programs[builds.LINUX], into)
    for target, program in programs.items():
        folder = contents.folder(f"dayledger-{version}-{target}", target, program, beside, into)
        if target == WINDOWS:
            archives.zip_folder(folder, dist / f"{folder.name}.zip", when)
        else:
            archives.tar_gz(folder, dist / f"{folder.name}.tar.gz", when, into)
        shutil.copy(folder / contents.BILL, dist / f"{folder.name}.cdx.json")
    tool = mcpb.Tool(into)
    legal = {name: beside / name for name in contents.LEGAL}
    packed = mcpb.pack(tool, {program.name: program for program in programs.values()}, legal, project.read(), into, when)
    shutil.move(packed, dist / mcpb.NAME)
    if arguments.repository:
        registry.describe(dist / mcpb.NAME, version, arguments.repository, dist)
        registry.validate(dist, into)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(dist.iterdir())]
    (dist / "SHA256SUMS").write_text("".join(sums))
    verify.everything(dist, version, tool, into)
    print("".join(sums), end="")


if __name__ == "__main__":
    end_with_status(main, "release")
