"""The other files of an archive: first steps, licences, a bill of materials, completions and manual pages."""

import json
import os
import pathlib
import shutil
import tomllib

import builds
import targets
from failure import child

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# The tools and their versions: one collects the texts of licences, one writes bills of materials.
ABOUT, CYCLONEDX = ("cargo-about", "0.9.3", "--features", "cli"), ("cargo-cyclonedx", "0.5.9")
BILL = "dayledger.cdx.json"
LICENCES = "LICENCES-OF-DEPENDENCIES.txt"
LEGAL = ("LICENSE", LICENCES)
SHELLS = {
    "bash": "dayledger.bash",
    "elvish": "dayledger.elv",
    "fish": "dayledger.fish",
    "powershell": "dayledger.ps1",
    "zsh": "_dayledger",
}
TOOL_SECONDS = 1800


def shared_files(place, program, into):
    """A folder with the files that are the same for every system, from a `program` that runs in `place`."""
    folder = into / "shared"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "completions").mkdir(parents=True)
    for shell, name in SHELLS.items():
        said = place.said([program, "completions", shell], f"`dayledger completions {shell}`")
        (folder / "completions" / name).write_text(f"{said}\n")
    place.said([program, "manual", place.path(place.folder / "man1")], "`dayledger manual`")
    shutil.copytree(place.folder / "man1", folder / "man" / "man1")
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(HERE / "first-steps.txt", folder / "FIRST-STEPS.txt")
    about = builds.tool(into, *ABOUT)
    child(["cargo", "fetch", "--locked"], "`cargo fetch`", TOOL_SECONDS, directory=ROOT)
    # Offline, using only the texts in the packages, so that the result doesn't depend on a server.
    command = [about, "about", "generate", "--offline", "--locked", "--config", accepted(into), HERE / "licences.hbs"]
    child([*command, "--output-file", folder / LICENCES], "`cargo about`", TOOL_SECONDS, directory=ROOT)
    return folder


def accepted(into):
    """The tool's settings for the accepted licences, from `deny.toml`."""
    allowed = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    names = sorted({*allowed["allow"], *(name for exception in allowed["exceptions"] for name in exception["allow"])})
    settings = {"accepted": names, "targets": [target.triple for target in targets.ALL]}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in settings.items()]
    lines += [f"{name} = true\n" for name in ("ignore-build-dependencies", "ignore-dev-dependencies")]
    config = into / "about.toml"
    config.write_text("".join(lines))
    return config


def folder(name, target, program, shared, into):
    """The folder that becomes the archive of a target."""
    made = into / "archives" / name
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(shared, made)
    shutil.copy(program, made)
    bill_of_materials(target, made / BILL, into)
    if target.system == "windows":
        for path in made.glob("*.txt"):
            path.write_text(path.read_text(), newline="\r\n")
    return made


def bill_of_materials(target, path, into):
    """Writes the list of crates in the program for a target, as CycloneDX."""
    cyclonedx = builds.tool(into, *CYCLONEDX)
    # The tool writes a file next to each manifest of the workspace.
    name = f"released-{target.triple}"
    command = [cyclonedx, "cyclonedx", "--format", "json", "--spec-version", "1.5", "--target", target.triple]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(builds.committed())}
    try:
        child(
            [*command, "--quiet", "--override-filename", name],
            "`cargo cyclonedx`",
            TOOL_SECONDS,
            environment=environment,
            directory=ROOT,
        )
        said = (ROOT / f"{name}.json").read_text()
    finally:
        for manifest in builds.said("git", "ls-files", "*Cargo.toml").splitlines():
            (ROOT / manifest).with_name(f"{name}.json").unlink(missing_ok=True)
    path.write_text(said.replace(ROOT.as_uri(), "file:///dayledger"))
