"""Checks whether the workspace compiles for macOS. Only types are checked, because linking needs files from Apple."""

import pathlib

import debian
from cargo import ROOT, Cargo
from failure import Failure
from installation import python

HERE = pathlib.Path(__file__).resolve().parent
INSTALLED = ROOT / "target" / "macos"
MACOS = "aarch64-apple-darwin"
# A wrapper of the C compiler for crates that build C code. It removes arguments that this compiler doesn't accept, and
# sets the target.
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
