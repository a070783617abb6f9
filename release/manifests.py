"""The manifests for winget, Scoop, Homebrew and the AUR, from the templates in `manifests`.

A template contains names such as `@VERSION@`. Their values come from `project.py` and from the files of the release.
"""

import hashlib
import pathlib
import re
import urllib.request

import builds
import targets
from failure import Failure, child, holds
from project import AUTHORS

TEMPLATES = pathlib.Path(__file__).resolve().parent / "manifests"
NAME = re.compile(r"@([A-Z0-9_]+)@")
FETCH_SECONDS, CHECK_SECONDS = 10, 60
# The publishers' schemas, each at a fixed commit, with the digest of its content.
WINGET = (
    "https://raw.githubusercontent.com/microsoft/winget-cli/fa3d9e511d1bd9bed2f1b72e9f0fa25323e7f3eb"
    "/schemas/JSON/manifests/v1.10.0/manifest.{}.1.10.0.json"
)
SCOOP = "https://raw.githubusercontent.com/ScoopInstaller/Scoop/b588a06e41d920d2123ec70aee682bae14935939/schema.json"
SCHEMAS = {
    "winget/version.yaml": (WINGET.format("version"), "330a3ece4ed602afb0c4f35290d14dec1e188e7b3c2fb330893ac3daac82b547"),
    "winget/installer.yaml": (WINGET.format("installer"), "cca7bea1fbdaa18a3d5231de7f9f896b1dd41283c33a03a0565771861d393b31"),
    "winget/locale.en-US.yaml": (
        WINGET.format("defaultLocale"),
        "77e406d25b35f908f70fb893335155e9e8a83aa59a6f3e9f959692e995e51e3c",
    ),
    "scoop.json": (SCOOP, "6c15a47b09dba92bcdee8b0dadbe2776339c699e3bf4db0eff0ef0a000f2496c"),
}


def write(project, dist, into):
    """Writes the manifests for the files in `dist`, each below the name that its package manager expects."""
    if not project.owner:
        raise Failure(
            f"`{project.repository}` doesn't name the owner that winget needs; it is like https://github.com/OWNER/NAME"
        )
    values = values_of(project, dist)
    identifier = f"{project.owner}.{project.name}"
    names = {
        "winget/version.yaml": f"winget/{identifier}.yaml",
        "winget/installer.yaml": f"winget/{identifier}.installer.yaml",
        "winget/locale.en-US.yaml": f"winget/{identifier}.locale.en-US.yaml",
        "scoop.json": f"scoop/{project.name}.json",
        "homebrew.rb": f"homebrew/{project.name}.rb",
        "PKGBUILD": "aur/PKGBUILD",
        "SRCINFO": "aur/.SRCINFO",
    }
    written = {}
    for template, name in names.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NAME.sub(lambda found: values[found.group(1)], (TEMPLATES / template).read_text()))
        written[template] = path
    return written


def values_of(project, dist):
    files = {"SOURCE": builds.source_archive(project)}
    files |= {target.triple.upper().replace("-", "_"): f"{project.archive(target)}{target.suffix}" for target in targets.ALL}
    values = {
        "AUTHORS": AUTHORS,
        "CHANGES": project.page("CHANGELOG.md"),
        "DESCRIPTION": project.description,
        "KEYWORDS": ", ".join(project.keywords),
        "LICENSE": project.license,
        "LICENSE_URL": project.page("LICENSE"),
        "NAME": project.name,
        "OWNER": project.owner,
        "PRIVACY": project.privacy_policy,
        "REPOSITORY": project.repository,
        "SUPPORT": project.support,
        "VERSION": project.version,
    }
    for name, file in files.items():
        values[f"{name}_SHA256"] = hashlib.sha256((dist / file).read_bytes()).hexdigest()
        values[f"{name}_URL"] = project.download(file)
    return values


def validate(written, installed):
    """Validates manifests with the schemas of their package managers. Returns the templates whose schema can't be loaded."""
    python = builds.python(installed, "skillsaw")
    left_out = []
    for template, (url, digest) in SCHEMAS.items():
        # After one failure, the others would only wait for the same host.
        if schema := fetched(url, digest, installed / "schemas", is_reachable=not left_out):
            command = [python, TEMPLATES.parent / "schema_check.py", schema, written[template]]
            child(command, f"the check of `{written[template].name}`", CHECK_SECONDS)
        else:
            left_out.append(template)
    return left_out


def fetched(url, digest, folder, is_reachable):
    """The file at `url`, downloaded once to `folder`; nothing if the machine can't reach it."""
    path = folder / f"{digest}.json"
    if not path.is_file():
        if not is_reachable:
            return None
        try:
            with urllib.request.urlopen(url, timeout=FETCH_SECONDS) as answer:
                content = answer.read()
        except OSError:
            return None
        found = hashlib.sha256(content).hexdigest()
        holds(found == digest, f"`{url}` has the digest {found} instead of {digest}")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path
