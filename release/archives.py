"""Reproducible archives: the same files give the same bytes."""

import gzip
import io
import pathlib
import tarfile
import time
import zipfile

# Permissions of executable files, and of other files.
RUN, READ = 0o755, 0o644


def files_of(folder):
    """The files below a folder by their relative paths, sorted."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return sorted(found.items())


def mode(path):
    return RUN if path.stat().st_mode & 0o100 else READ


def pack(folder, archive, when):
    """Packs all files of a folder, below its name. The suffix of the archive selects the format."""
    if archive.suffix == ".zip":
        zip_folder(folder, archive, when)
    else:
        tar_gz(folder, archive, when)


def tar_gz(folder, archive, when):
    """Packs all files of a folder, below its name."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as whole:
        for name, path in files_of(folder):
            entry = tarfile.TarInfo(f"{folder.name}/{name}")
            entry.size, entry.mode, entry.mtime = path.stat().st_size, mode(path), when
            with path.open("rb") as file:
                whole.addfile(entry, file)
    archive.write_bytes(gzip.compress(plain.getvalue(), mtime=0))


def zip_folder(folder, archive, when):
    """Packs all files of a folder, below its name."""
    members = [(f"{folder.name}/{name}", path.read_bytes(), mode(path)) for name, path in files_of(folder)]
    write_zip(members, archive, when)


def without_times(archive, when):
    """Rewrites a zip archive, sorted by name and with the same time for all files."""
    with zipfile.ZipFile(archive) as given:
        members = [(entry.filename, given.read(entry), entry.external_attr >> 16) for entry in given.infolist()]
    write_zip(sorted(members), archive, when)


def write_zip(members, archive, when):
    with zipfile.ZipFile(archive, "w") as whole:
        for name, content, permissions in members:
            entry = zipfile.ZipInfo(name, time.gmtime(when)[:6])
            # Unix, so that the permissions are used.
            entry.create_system, entry.external_attr = 3, permissions << 16
            whole.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def unpack(archive, into):
    """Unpacks an archive with its permissions."""
    if archive.suffix == ".gz":
        with tarfile.open(archive) as whole:
            # Python 3.11 has the filter since 3.11.4, and Debian 12 has 3.11.2.
            whole.extraction_filter = getattr(tarfile, "data_filter", None)
            whole.extractall(into)
        return
    with zipfile.ZipFile(archive) as whole:
        for entry in whole.infolist():
            path = pathlib.Path(whole.extract(entry, into))
            path.chmod(entry.external_attr >> 16 & 0o777 or READ)
