"""Makes all files of a release on one Linux machine, from the checked-out commit.

    python3 release/run.py [--into target/releases] [--jobs N] [--target TARGET ...]

It needs root, Debian 12 on Linux 6.7 or later, the Rust toolchain, a C compiler, git, Python 3.11, and the packages of Debian,
PyPI, npm and crates.io. It installs missing packages of Debian, and leaves them installed. It empties `dist` of the folder,
then writes to it:

- an archive and a bill of materials (`*.cdx.json`) for each target of `targets.py`, packages for Debian and RPM, the source
  code, and the bundle for clients
- `SHA256SUMS`, signed if the environment contains a key (`sign.py`)
- `server.json` for the registry of MCP servers, if `Cargo.toml` contains the address of the repository. It then also writes
  the manifests of winget, Scoop, Homebrew and the AUR to `manifests` of the folder.

The same commit and compilers give the same bytes. Then the script unpacks and installs everything in other folders, checks it
and runs it (`verify.py`): programs for Windows under Wine, and programs for other processors in an emulator. With `--target`,
it makes and checks only the archive and the packages of this target. A cold run takes about four hours on two cores, and
20 GB.
"""

import argparse
import contextlib
import os
import pathlib
import shutil

import archives
import builds
import bundle  # of `tests/clients`
import contents
import debian
import linux_packages
import manifests
import mcpb
import places
import project
import registry
import sign
import targets
import verify
from failure import Failure, end_with_status

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--into", type=pathlib.Path, default=ROOT / "target" / "releases", help="folder for the release and all builds"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of parallel compilers")
    names = [target.triple for target in targets.ALL]
    parser.add_argument("--target", action="append", choices=names, help="only make the archive and packages for this target")
    arguments = parser.parse_args()
    if changed := builds.said("git", "status", "--porcelain"):
        raise Failure(f"a release is made from a commit: commit or discard these changes of the checkout\n{changed}")
    into, when = arguments.into.resolve(), builds.committed()
    builds.check_zone_data(when)
    dist = into / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)

    chosen = [target for target in targets.ALL if target.triple in (arguments.target or [target.triple])]
    facts = project.read()
    programs = {target: builds.program(target, into, arguments.jobs) for target in chosen}
    with contextlib.ExitStack() as stack:
        where = {target: stack.enter_context(places.make(target, into)) for target in chosen}
        shared = shared_files(chosen[0], programs, where, into)
        for target, program in programs.items():
            pack(target, program, shared, facts, into, dist, when)
        client = bundle.Client(into)
        if arguments.target:
            verify.everything(dist, facts, where, client)
            return
        bundled = {target.program: programs[target] for target in targets.BUNDLED}
        legal = {name: shared / name for name in contents.LEGAL}
        packed = mcpb.pack(client.tool, bundled, legal, facts, into, when)
        shutil.move(packed, dist / mcpb.NAME)
        complete(facts, dist, into)
        verify.bundled(dist / mcpb.NAME, verify.everything(dist, facts, where, client), where, client)
    print((dist / "SHA256SUMS").read_text(), end="")


def shared_files(target, programs, where, into):
    """The files that are the same for every system, from a program in the place where it can run."""
    program = pathlib.Path(shutil.copy(programs[target], where[target].folder))
    return contents.shared_files(where[target], program, into)


def pack(target, program, shared, facts, into, dist, when):
    """Packs the archive, the packages and the bill of materials of a target."""
    folder = contents.folder(facts.archive(target), target, program, shared, into)
    archives.pack(folder, dist / f"{folder.name}{target.suffix}", when)
    if target.debian:
        linux_packages.pack(facts, target, folder, into, dist, when)
    shutil.copy(folder / contents.BILL, dist / f"{folder.name}.cdx.json")


def complete(facts, dist, into):
    """Adds the files about the whole release: source code, descriptions, digests and their signature."""
    builds.pack_source(facts, dist)
    if facts.has_address:
        registry.describe(dist / mcpb.NAME, facts, dist)
        registry.validate(dist, into)
        write_manifests(facts, dist, into)
    else:
        print("left out: `server.json` and the manifests, because `repository` in Cargo.toml is a placeholder", flush=True)
    sign.write_digests(dist)
    if key := os.environ.get(sign.VARIABLE):
        debian.install({"minisign": "minisign"})
        sign.sign(dist, key)
    else:
        print(f"left out: the signature of `SHA256SUMS`, because {sign.VARIABLE} is not set", flush=True)


def write_manifests(facts, dist, into):
    """Writes and validates the manifests of package managers. They aren't part of the release: each goes to its manager."""
    folder = into / "manifests"
    shutil.rmtree(folder, ignore_errors=True)
    for name in manifests.validate(manifests.write(facts, dist, folder), into):
        print(f"not validated: `{name}`, because its schema can't be reached", flush=True)


if __name__ == "__main__":
    end_with_status(main, "release")
