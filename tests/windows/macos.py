"""Checks whether the workspace compiles for macOS: types only, because linking needs Apple's files."""

import pathlib

import debian
from cargo import ROOT, Cargo
from failure import Failure
from installation import python

HERE = pathlib.Path(__file__).resolve().parent
INSTALLED = ROOT / "target" / "macos"
MACOS = "aarch64-apple-darwin"
# Removes arguments of crates that build C code which this compiler doesn't accept; the target is set below.
COMPILER = """#!{shell}
for argument do
    shift
    if [ -n "${{skip:-}}" ]; then skip=; continue; fi
    case "$argument" in
        -arch) skip=1 ;;
        --target=*|-mmacosx-version-min=*) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "{python}" -m ziglang cc -target aarch64-macos "$@"
"""
ARCHIVER = """#!{shell}
exec "{python}" -m ziglang ar "$@"
"""


def check(jobs):
    debian.install(debian.COMPILER)
    try:
        interpreter = python(INSTALLED, "ziglang", packages=HERE / "packages")
    except Failure as failure:
        raise debian.Lacking(str(failure)) from None
    settings = {
        "CC_aarch64_apple_darwin": script("cc", COMPILER, interpreter),
        "AR_aarch64_apple_darwin": script("ar", ARCHIVER, interpreter),
    }
    Cargo(MACOS, INSTALLED, jobs, settings).check()


def script(name, text, interpreter):
    path = INSTALLED / name
    path.write_text(text.format(shell="/bin/sh", python=interpreter))
    path.chmod(0o755)
    return str(path)
