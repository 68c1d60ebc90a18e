"""Makes environments: the wheel, virtual environments with it, and what else an entry asks for."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from environments.entries import Environment

TOP = Path(__file__).resolve().parents[2]
PYTHONS = "LOCKORDER_TEST_PYTHONS"
_VERSIONS = tuple(f"3.{minor}" for minor in range(10, 15))
#: Seconds for one command that may fetch hundreds of megabytes.
_PATIENCE = 1800
#: What a command needs of the variables around the matrix; anything else could change a result.
_KEPT = ("HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR")
_NETWORK = ("PIP_", "SSL_", "REQUESTS_", "HTTP_", "HTTPS_", "NO_PROXY", "http", "no_proxy", "CURL_")


class Skipped(Exception):
    """An environment that cannot be had here; the text says why, and what would help."""


class Failed(Exception):
    """lockorder itself cannot be built or installed."""


@dataclass(frozen=True)
class Made:
    """An environment that is there: where, with which Python and wheel (a digest of what is in it),
    and how things are started in it.
    """

    prefix: Path
    python: str
    variables: Mapping[str, str]
    wheel: str
    wrapped: tuple[str, ...] = ()

    @property
    def command(self) -> Path:
        """Its lockorder."""
        return self.prefix / "bin" / "lockorder"


# -- the wheel --------------------------------------------------------------------------------


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, in *folder*; the build tools are those of `make setup`."""
    fresh = folder / "wheel"
    shutil.rmtree(fresh, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    done = _run([*pip, "--no-deps", "--no-build-isolation", "-w", fresh, TOP], os.environ)
    wheels = sorted(fresh.glob("lockorder-*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise Failed(f"the wheel cannot be built: {_last(done)}")
    return wheels[0]


def _contents(wheel: Path) -> str:
    """A digest of what is in *wheel*, whenever it was packed."""
    with zipfile.ZipFile(wheel) as archive:
        rows = sorted((each.filename, each.CRC) for each in archive.infolist())
    return hashlib.sha256(repr(rows).encode()).hexdigest()


# -- interpreters -----------------------------------------------------------------------------


def interpreters(given: Iterable[str]) -> dict[str, Path]:
    """Pythons by version: those *given* first, this one, then what is found on this machine."""
    candidates = [*given, *filter(None, os.environ.get(PYTHONS, "").split(os.pathsep))]
    candidates.append(sys.executable)
    for version in _VERSIONS:
        candidates += filter(None, [shutil.which(f"python{version}")])
        pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
        candidates += sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python3"), reverse=True)
        if uv := shutil.which("uv"):
            asked = _run([uv, "python", "find", "--no-python-downloads", version], os.environ)
            candidates += asked.stdout.split() if asked.returncode == 0 else []
    found: dict[str, Path] = {}
    for path in candidates:
        if (version := _version(path)) and version not in found:
            found[version] = Path(path)
    return found


def own_version() -> str:
    """The version of the Python that runs the matrix."""
    return f"3.{sys.version_info[1]}"


def _version(python: str) -> str:
    # A Python that cannot make virtual environments (Debian's without python3-venv) is none.
    ask = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        done = _run([python, "-c", ask], _kept())
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


# -- environments -----------------------------------------------------------------------------


def make(entry: Environment, wheel: Path, builds: Path, pythons: Mapping[str, Path]) -> Made:
    """The environment of *entry*, made again only where it or the wheel has changed.

    Raises Skipped where this machine cannot have it, and Failed where lockorder cannot be
    installed in it.
    """
    version = entry.python or own_version()
    python = pythons.get(version)
    if python is None:
        raise Skipped(
            f"no Python {version} that can make virtual environments: name one by --python PATH "
            f"or {PYTHONS}=PATH:PATH (`uv python install {version}` fetches one)"
        )
    prefix = builds / entry.folder / "prefix"
    stamp = builds / entry.folder / "made.json"
    wanted = {
        "entry": [list(entry.packages), entry.gathered],
        "python": [version, str(python)],
        "wheel": _contents(wheel),
    }
    had = json.loads(stamp.read_text("utf-8")) if stamp.is_file() else {}
    if had != wanted:
        stamp.unlink(missing_ok=True)
        base = {**wanted, "wheel": ""}
        if {**had, "wheel": ""} != base:
            shutil.rmtree(prefix, ignore_errors=True)
            _checked([python, "-m", "venv", prefix], "no virtual environment")
        pip = [prefix / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
        # First the files, which may have changed without the version, then what they depend on.
        anew = [*pip, "install", "--force-reinstall", "--no-deps", wheel]
        for command in (anew, [*pip, "install", wheel]):
            _checked(command, "lockorder cannot be installed")
        if entry.packages:
            done = _run([*pip, "install", *entry.packages], _kept(network=True))
            if done.returncode != 0:
                raise Skipped(f"pip cannot install {' '.join(entry.packages)}: {_last(done)}")
        if entry.gathered:
            _gather_headers(prefix)
        stamp.write_text(json.dumps(wanted), encoding="utf-8")
    wrapped = _wrapped(entry, builds)
    return Made(prefix, version, _variables(entry, prefix), str(wanted["wheel"]), wrapped)


def _variables(entry: Environment, prefix: Path) -> dict[str, str]:
    named = {"PATH": entry.path, **entry.variables}
    return {**_kept(), **{name: text.format(prefix=prefix) for name, text in named.items()}}


def _gather_headers(prefix: Path) -> None:
    """Copy the headers of what is installed to where conda has them."""
    target = prefix / "include"
    (site,) = prefix.glob("lib/python3.*/site-packages")
    folders = [*site.glob("nvidia/*/include"), *site.glob("pybind11/include")]
    ask = "import sysconfig; print(sysconfig.get_path('include'))"
    done = _run([prefix / "bin" / "python", "-c", ask], _kept())
    python = Path(done.stdout.strip())
    for folder, place in [*((f, target) for f in sorted(folders)), (python, target / python.name)]:
        if folder.is_dir() and folder != place:
            shutil.copytree(folder, place, dirs_exist_ok=True)


# -- folders that look different from inside --------------------------------------------------


def _wrapped(entry: Environment, builds: Path) -> tuple[str, ...]:
    """The start of a command line that sees what *entry* says of /usr; nothing where it does not.

    The mounts are in a namespace of their own: nobody else sees them, and they end with it.
    """
    mounts = []
    if entry.hidden:
        empty = builds / "nothing"
        empty.mkdir(parents=True, exist_ok=True)
        hidden = sorted(f for pattern in entry.hidden for f in glob.glob(pattern))
        mounts += [f"mount --bind {shlex.quote(str(empty))} {shlex.quote(f)}" for f in hidden]
    missing = {
        package
        for header, package in entry.debian.items()
        if not os.path.exists(f"/usr/include/{header}")
    }
    if missing:
        laid = _unpacked(sorted(missing), builds / "debian-packages") / "usr" / "include"
        below = shlex.quote(f"lowerdir={laid}:/usr/include")
        mounts.append(f"mount -t overlay overlay -o {below} /usr/include")
    if not mounts:
        return ()
    if shutil.which("unshare") is None:
        raise Skipped("no unshare (util-linux), so no folder can be hidden")
    # Whoever is not root can be that in a namespace of users, where the system allows it.
    alone = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    script = "\n".join(["set -e", *mounts, 'exec "$@"'])
    start = ("unshare", *alone, "sh", "-c", script, "sh")
    done = _run([*start, "true"], _kept())
    if done.returncode != 0:
        raise Skipped(f"folders cannot be mounted over /usr here (root can): {_last(done)}")
    return start


def _unpacked(packages: Sequence[str], folder: Path) -> Path:
    """The files of Debian's *packages*, which are not installed by this."""
    root = folder / "-".join(packages)
    if root.is_dir():
        return root
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise Skipped(f"no apt-get and dpkg-deb; not installed here: {' '.join(packages)}")
    shutil.rmtree(folder, ignore_errors=True)
    partial = folder / "partial"
    partial.mkdir(parents=True)
    done = _run(["apt-get", "download", *packages], _kept(network=True), partial)
    if done.returncode != 0:
        raise Skipped(f"apt-get cannot fetch {' '.join(packages)}: {_last(done)}")
    for archive in sorted(partial.glob("*.deb")):
        _checked(["dpkg-deb", "-x", archive, partial], f"{archive.name} cannot be unpacked")
    partial.rename(root)
    return root


# -- commands ---------------------------------------------------------------------------------


def _kept(network: bool = False) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if network:
        kept.update({n: text for n, text in os.environ.items() if n.startswith(_NETWORK)})
    return {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", **kept}


def _run(
    command: Sequence[object], variables: Mapping[str, str], folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    try:
        return subprocess.run(
            words, env=variables, cwd=folder, capture_output=True, text=True,
            timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        late = f"not done after {_PATIENCE} s: {' '.join(words[:4])}"
        return subprocess.CompletedProcess(words, 124, "", late)


def _checked(command: Sequence[object], what: str) -> None:
    done = _run(command, _kept(network=True))
    if done.returncode != 0:
        raise Failed(f"{what}: {_last(done)}")


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """The line that says most of why a command failed."""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or [f"exit {done.returncode}"])[-1][:300]


def described(made: Made) -> dict[str, object]:
    """*made*, as it can be handed on."""
    return {**asdict(made), "prefix": str(made.prefix), "command": str(made.command)}
