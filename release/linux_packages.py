"""The packages for Debian and for RPM, from the folder of an archive for Linux."""

import gzip
import json
import os
import shutil
import time

import builds
import contents
import targets
from failure import child
from project import AUTHORS

PACK_SECONDS = 300
# Package managers show it below the description of the project.
DETAILS = """dayledger answers in the terminal, in the browser, in SQL, or through an AI assistant.
It reads the files of ManicTime and ActivityWatch on this computer."""
# Debian's packages name the licence instead of containing its text.
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {name}

Files: *
Copyright: {year} {authors}
License: {license}
 The text of the licence is in /usr/share/common-licenses/{license}.
 {dependencies} lists the licences of the Rust crates in the program.
"""
# Where systems read the completions of each shell.
COMPLETIONS = {
    "bash": "/usr/share/bash-completion/completions/dayledger",
    "fish": "/usr/share/fish/vendor_completions.d/dayledger.fish",
    "zsh": "/usr/share/zsh/{}/_dayledger",
}
# The C library that the program loads, the folder of zsh's completions, and the marks of licences and of other documents,
# by kind of package. With its marks, RPM always installs licences, and leaves out documents if the user sets that.
KINDS = {
    "deb": {"depends": [f"libc6 (>= {targets.GLIBC})"], "zsh": "vendor-completions", "licence": "", "document": ""},
    "rpm": {"depends": [f"glibc >= {targets.GLIBC}"], "zsh": "site-functions", "licence": "license", "document": "doc"},
}


def pack(project, target, folder, into, dist, when):
    """Packs the `folder` of a target for each kind, and returns the packages in `dist`."""
    return {
        kind: pack_kind(kind, project, target, folder, into / kind, dist / name, when)
        for kind, name in names(project, target).items()
    }


def names(project, target):
    """The file name of each kind of package, as its system expects it."""
    return {
        "deb": f"{project.name}_{project.version}_{target.debian}.deb",
        "rpm": f"{project.name}-{project.version}-1.{target.processor}.rpm",
    }


def pack_kind(kind, project, target, folder, into, package, when):
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    (into / "copyright").write_text(copyright_text(project, when))
    settings = {
        "name": project.name,
        # The tool converts it to the name that RPM uses.
        "arch": target.debian,
        "platform": "linux",
        "version": project.version,
        "section": "utils",
        "priority": "optional",
        "maintainer": AUTHORS,
        "vendor": AUTHORS,
        "description": f"{project.description}\n{DETAILS}",
        "license": project.license,
        "mtime": builds.iso_time(when),
        "depends": KINDS[kind]["depends"],
        # The default is the name of the machine.
        "rpm": {"buildhost": "localhost"},
        "contents": files(kind, folder, into),
        **({"homepage": project.repository} if project.has_address else {}),
    }
    config = into / "nfpm.yaml"
    config.write_text(json.dumps(settings, indent=2))
    nfpm = builds.python(into.parent, "nfpm").parent / "nfpm"
    command = [nfpm, "package", "--config", config, "--packager", kind, "--target", package]
    child(command, f"packing `{package.name}`", PACK_SECONDS, environment={**os.environ, "SOURCE_DATE_EPOCH": str(when)})
    return package


def copyright_text(project, when):
    """The text of the file `copyright` in a package for Debian."""
    names = {"name": project.name, "license": project.license, "authors": AUTHORS, "dependencies": contents.LICENCES}
    return COPYRIGHT.format(year=time.gmtime(when).tm_year, **names)


def files(kind, folder, into):
    """The files of the package: where they come from, where they are installed, and their permissions."""
    own = KINDS[kind]
    listed = [entry(folder / "dayledger", "/usr/bin/dayledger", mode=0o755)]
    for shell, place in COMPLETIONS.items():
        listed.append(entry(folder / "completions" / contents.SHELLS[shell], place.format(own["zsh"])))
    for page in sorted((folder / "man" / "man1").iterdir()):
        packed = into / f"{page.name}.gz"
        packed.write_bytes(gzip.compress(page.read_bytes(), mtime=0))
        listed.append(entry(packed, f"/usr/share/man/man1/{packed.name}", own["document"]))
    documents = "/usr/share/doc/dayledger"
    # RPM removes only directories that a package lists.
    listed.append({"dst": documents, "type": "dir", "file_info": {"mode": 0o755, "owner": "root", "group": "root"}})
    licence = into / "copyright" if kind == "deb" else folder / "LICENSE"
    listed.append(entry(licence, f"{documents}/{licence.name}", own["licence"]))
    listed.append(entry(folder / contents.LICENCES, f"{documents}/{contents.LICENCES}", own["licence"]))
    listed.append(entry(folder / contents.BILL, f"{documents}/{contents.BILL}", own["document"]))
    return listed


def entry(source, destination, mark="", mode=0o644):
    file = {"src": str(source), "dst": destination, "file_info": {"mode": mode, "owner": "root", "group": "root"}}
    return {**file, "type": mark} if mark else file
