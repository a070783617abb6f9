"""Checks the parts of a release that need no build: workflows, packages, manifests and the signature.

    python3 tests/release/run.py

The packages and manifests are made from an example program. The checks need Python 3.11 and the registry of Python
packages, and install packages in `target/clients`. If the tool or schema of a check isn't available, the check is left
out and prints a message.
"""

import concurrent.futures
import contextlib
import dataclasses
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile
import tomllib
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "release"), str(ROOT / "tests" / "clients")]

import archives  # noqa: E402
import builds  # noqa: E402
import contents  # noqa: E402
import debian  # noqa: E402
import linux_packages  # noqa: E402
import manifests  # noqa: E402
import mcpb  # noqa: E402
import project  # noqa: E402
import registry  # noqa: E402
import sign  # noqa: E402
import targets  # noqa: E402
import verify  # noqa: E402
from failure import Failure, child, end_with_status, holds, outcome  # noqa: E402

INSTALLED = ROOT / "target" / "clients"
WHEN = 1_700_000_000
SECONDS = 60
# Like `cargo cyclonedx`, it writes a file next to each manifest of the workspace. The name is the last argument.
CYCLONEDX = """#!/bin/sh
for name; do :; done
git ls-files "*Cargo.toml" | while read -r manifest; do echo "{}" > "$(dirname "$manifest")/$name.json"; done
"""
EXAMPLE = dataclasses.replace(project.read(), version="1.2.3", repository="https://github.com/OWNER/dayledger")
PROGRAM = "#!/bin/sh\necho dayledger 1.2.3\n"


def main():
    with concurrent.futures.ThreadPoolExecutor() as threads:
        list(threads.map(lambda name: builds.python(INSTALLED, name), ("zizmor", "nfpm", "skillsaw")))
    with tempfile.TemporaryDirectory(prefix="dayledger-release-") as scratch:
        scratch = pathlib.Path(scratch)
        workflows()
        plugin()
        dist = example_files(scratch)
        for target in targets.ALL:
            if target.debian:
                linux_package_files(target, scratch, dist)
        bill_of_materials(scratch)
        compared_answers()
        placeholder_links()
        manifest_files(scratch, dist)
        binstall_addresses(dist)
        registry_description(dist)
        signature(scratch, dist)


def report(check, text):
    print(f"{check}: {text}", flush=True)


def workflows():
    """Checks that the linter finds no problem of medium or higher severity in the workflows."""
    zizmor = builds.python(INSTALLED, "zizmor").parent / "zizmor"
    child([zizmor, "--offline", "--no-progress", "--quiet", "--min-severity", "medium", ROOT / ".github"], "`zizmor`", SECONDS)
    report("workflows", "no findings")


def plugin():
    """Checks that the plugin for Claude Code, its marketplace and its skills match the rules for these files."""
    linter = [builds.python(INSTALLED, "skillsaw"), "-m", "skillsaw", "lint", "--strict", "--no-progress"]
    types = ["--type", "marketplace", "--type", "agentskills"]
    child([*linter, *types, ROOT / "release"], "the check of the plugin", SECONDS)
    report("plugin", "the plugin, its marketplace and its skills are valid")


def example_files(scratch):
    """Creates a folder with archives like those of a release. They contain an example program."""
    dist = scratch / "dist"
    dist.mkdir()
    for target in targets.ALL:
        folder = scratch / EXAMPLE.archive(target)
        names = [target.program, *contents.LEGAL, contents.BILL, "man/man1/dayledger.1", "man/man1/dayledger-day.1"]
        for name in [*names, *(f"completions/{name}" for name in contents.SHELLS.values())]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(PROGRAM if name == target.program else f"{name}\n")
        (folder / target.program).chmod(0o755)
        if target.system == "windows":
            archives.zip_folder(folder, dist / f"{folder.name}.zip", WHEN)
        else:
            with tarfile.open(dist / f"{folder.name}.tar.gz", "w:gz") as archive:
                archive.add(folder, folder.name)
    builds.pack_source(EXAMPLE, dist)
    (dist / "dayledger.mcpb").write_bytes(b"a bundle")
    return dist


def linux_package_files(target, scratch, dist):
    """Checks that the packages contain the program for their processor, and that packing them twice gives the same bytes."""
    folder = scratch / EXAMPLE.archive(target)
    packages = linux_packages.pack(EXAMPLE, target, folder, INSTALLED, dist, WHEN)
    first = {kind: path.read_bytes() for kind, path in packages.items()}
    for _, path in archives.files_of(folder):
        os.utime(path, (WHEN + 1, WHEN + 1))
    again = linux_packages.pack(EXAMPLE, target, folder, INSTALLED, dist, WHEN)
    for kind, path in again.items():
        holds(path.read_bytes() == first[kind], f"`{path.name}` differs when it is packed again")
    if shutil.which("dpkg-deb"):
        unpacked = scratch / target.debian
        child(["dpkg-deb", "--extract", packages["deb"], unpacked], "`dpkg-deb --extract`", SECONDS)
        said = child([unpacked / "usr/bin/dayledger"], "the program of the package for Debian", SECONDS)
        holds(said == "dayledger 1.2.3", f"the package for Debian contains another program: {said}")
        holds((unpacked / "usr/share/man/man1/dayledger.1.gz").is_file(), "the package for Debian lacks the manual")
        shown = ["dpkg-deb", "--show", "--showformat", "${Package}_${Version}_${Architecture}.deb", packages["deb"]]
        stated = child(shown, "`dpkg-deb --show`", SECONDS)
        holds(stated == packages["deb"].name, f"the fields of `{packages['deb'].name}` belong to `{stated}`")
        licence = (unpacked / "usr/share/doc/dayledger/copyright").read_text()
        holds("Copyright: 2023 The dayledger authors" in licence, f"the package for Debian has another licence: {licence}")
        report("deb", f"`{packages['deb'].name}` is reproducible and contains the program")
    else:
        report("deb", "reproducible, but not unpacked, because this machine has no `dpkg-deb`")
    if shutil.which("rpm"):
        # RPM would create its own database in the home folder.
        query = ["rpm", "--dbpath", scratch / "rpm", "--query", "--package", packages["rpm"]]
        query += ["--queryformat", "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm\n[%{FILENAMES}\n]"]
        stated, *listed = child(query, "`rpm --query`", SECONDS).splitlines()
        holds(stated == packages["rpm"].name, f"the fields of `{packages['rpm'].name}` belong to `{stated}`")
        holds(
            "/usr/bin/dayledger" in listed and "/usr/share/man/man1/dayledger.1.gz" in listed, f"the RPM lacks files: {listed}"
        )
        report("rpm", f"`{packages['rpm'].name}` is reproducible and contains the program")
    else:
        report("rpm", "reproducible, but not read, because this machine has no `rpm`")


def bill_of_materials(scratch):
    """Checks that writing a bill of materials leaves no files in the checkout: the next release would fail."""
    tool, bill = scratch / "cargo-cyclonedx", scratch / contents.BILL
    tool.write_text(CYCLONEDX)
    tool.chmod(0o755)
    before = builds.said("git", "status", "--porcelain")
    with unittest.mock.patch.object(builds, "tool", return_value=tool):
        contents.bill_of_materials(targets.LINUX, bill, scratch)
    after = builds.said("git", "status", "--porcelain")
    holds(json.loads(bill.read_text()) == {}, "the bill of materials has another content")
    holds(after == before, f"the tool for bills of materials leaves files in the checkout:\n{after}")
    report("bill of materials", "leaves no files in the checkout")


class ExampleProgram:
    """Stands in for a program in its place, and for a client of its server. It finds a number of activities."""

    def __init__(self, activities):
        self.folder, self.activities = pathlib.Path("/"), activities

    def path(self, path):
        return path

    def start(self, command):
        return self

    def said(self, command, what):
        if "--version" in command:
            return f"dayledger {EXAMPLE.version}"
        return f"activities,seconds\n{self.activities},60" if "sql" in command else "{}"

    @staticmethod
    def answers(started, environment):
        return {"tools": [], "usage": json.dumps({"usage": [{"name": "app"}] * started.activities})}


def compared_answers():
    """Checks that a release fails if its programs answer differently, or if all of them find nothing."""
    accepts = {(3, 3): True, (3,): True, (3, 4): False, (0, 0): False, (0,): False}
    for activities, expected in accepts.items():
        places = dict(zip(targets.ALL, map(ExampleProgram, activities), strict=False))
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                verify.same_answers(EXAMPLE, dict.fromkeys(places, "dayledger"), places, ExampleProgram)
            accepted = True
        except Failure:
            accepted = False
        holds(accepted == expected, f"a release whose programs find {activities} activities is accepted: {accepted}")
    report("answers", "must be the same in all programs, and not empty")


def placeholder_links():
    """Checks that a bundle has no links if the URL of the repository is only a placeholder."""
    unknown = dataclasses.replace(EXAMPLE, repository="https://repository.example/dayledger")
    holds(not mcpb.links(unknown) and not unknown.owner, "a placeholder is used as an address")
    holds(mcpb.links(EXAMPLE)["support"] == f"{EXAMPLE.repository}/issues", "the bundle has no address for support")
    report("links", "none with a placeholder as the address")


def manifest_files(scratch, dist):
    """Checks that the manifests match their schemas, and that their URLs and digests belong to the files of the
    release.
    """
    written = manifests.write(EXAMPLE, dist, scratch / "manifests")
    texts = {template: path.read_text() for template, path in written.items()}
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in dist.iterdir()}
    for template, text in texts.items():
        for digest in re.findall(r"\b[0-9a-fA-F]{64}\b", text):
            holds(digest.lower() in digests, f"`{template}` has the digest of another file: {digest}")
        for name in re.findall(re.escape(EXAMPLE.download("")) + r"([^\s\"']+)", text):
            holds((dist / name).is_file(), f"`{template}` names a file that the release doesn't have: {name}")
        holds(not manifests.NAME.search(text), f"`{template}` contains a name without a value")
    holds(len(EXAMPLE.description) < 80, "Homebrew allows descriptions of at most 79 characters")
    left_out = manifests.validate(written, INSTALLED)
    for template in sorted(manifests.SCHEMAS):
        message = "the schema is not reachable from this machine, so it was not validated" if template in left_out else "valid"
        report(written[template].name, message)
    if shutil.which("ruby"):
        child(["ruby", "-c", written["homebrew.rb"]], "`ruby -c`", SECONDS)
    else:
        report(written["homebrew.rb"].name, "its syntax was not checked, because this machine has no `ruby`")
    arch_package(scratch, written["PKGBUILD"], texts["SRCINFO"])


def arch_package(scratch, pkgbuild, srcinfo):
    """Runs the steps of the `PKGBUILD` for each processor. Compares its fields with the second file of the AUR."""
    script = """
source "$1"; pkgdir=$2
for CARCH in "${arch[@]}"; do
    source=source_$CARCH digest=sha256sums_$CARCH
    echo "arch = $CARCH"; echo "source_$CARCH = ${!source}"; echo "sha256sums_$CARCH = ${!digest}"
    (cd "$3"; package)
done
echo "pkgver = $pkgver"
"""
    installed = scratch / "arch"
    said = child(["bash", "-euc", script, "bash", pkgbuild, installed, scratch], "the `PKGBUILD`", SECONDS).splitlines()
    processors = {line for line in said if line.startswith("arch = ")}
    expected = {f"arch = {target.processor}" for target in targets.ALL if target.system == "glibc"}
    holds(processors == expected, f"the package for Arch is for other processors: {processors}")
    for line in said:
        holds(f"\t{line}\n" in srcinfo, f"`.SRCINFO` lacks `{line}`")
    said = child([installed / "usr/bin/dayledger"], "the program of the package for Arch", SECONDS)
    holds(said == "dayledger 1.2.3", f"the package for Arch contains another program: {said}")
    holds((installed / "usr/share/zsh/site-functions/_dayledger").is_file(), "the package for Arch lacks completions")
    report("PKGBUILD", "installs the program, and agrees with `.SRCINFO`")


def binstall_addresses(dist):
    """Checks that `cargo binstall` finds a file of the release for each system, and the program in that file."""
    settings = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["metadata"]["binstall"]
    suffixes = {"tgz": ".tar.gz", "zip": ".zip"}
    for target in sorted({*settings["overrides"], *(target.triple for target in targets.ALL)}):
        options = {**settings, **settings["overrides"].get(target, {})}
        suffix = ".exe" if "windows" in target else ""
        values = {"repo": EXAMPLE.repository, "version": EXAMPLE.version, "name": EXAMPLE.name, "target": target}
        values |= {"archive-suffix": suffixes[options["pkg-fmt"]], "bin": EXAMPLE.name, "binary-ext": suffix}
        address, place = (filled(options[key], values) for key in ("pkg-url", "bin-dir"))
        base, name = address.rsplit("/", 1)
        holds(f"{base}/" == EXAMPLE.download("") and (dist / name).is_file(), f"`cargo binstall` looks for {address}")
        unpacked = dist.parent / "binstall" / target
        archives.unpack(dist / name, unpacked)
        holds((unpacked / place).is_file(), f"`cargo binstall` looks for `{place}` in `{name}`")
    report("binstall", "finds the archives and the programs")


def filled(text, values):
    """Replaces placeholders such as `{ version }` with their values."""
    for name, value in values.items():
        text = text.replace(f"{{ {name} }}", value)
    return text


def registry_description(dist):
    """Checks that the description for the registry of MCP servers matches the registry's schema and rules."""
    registry.describe(dist / "dayledger.mcpb", EXAMPLE, dist)
    registry.validate(dist, INSTALLED)
    described = json.loads((dist / "server.json").read_text())
    holds(described["name"] == "io.github.OWNER/dayledger", f"`server.json` has another name: {described['name']}")
    report("server.json", "valid")


def signature(scratch, dist):
    """Checks that minisign accepts a signature by a new key, and rejects the signature after a change."""
    try:
        debian.install({"minisign": "minisign"})
    except debian.Lacking as lacking:
        report("signature", f"left out: {lacking}")
        return
    sums = dist / "SHA256SUMS"
    sign.write_digests(dist)
    public, secret = scratch / "key.pub", scratch / "key"
    child(["minisign", "-G", "-W", "-p", public, "-s", secret], "`minisign -G`", SECONDS)
    first = sign.sign(dist, secret.read_text()).read_bytes()
    holds(sign.sign(dist, secret.read_text()).read_bytes() == first, "a second signature of the same file differs")
    verify = ["minisign", "-V", "-q", "-p", public, "-m", sums]
    child(verify, "`minisign -V`", SECONDS)
    sums.write_text(sums.read_text() + "0  another\n")
    status, *_ = outcome(verify, "`minisign -V`", SECONDS)
    holds(status != 0, "minisign accepts a changed file")
    report("signature", "minisign accepts it, and rejects a changed file")


if __name__ == "__main__":
    end_with_status(main, "release")
