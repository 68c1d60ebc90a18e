"""How clang names what it read."""

from __future__ import annotations

from pathlib import Path

from lockorder.static.parse.clang import plain


def test_a_files_name_is_the_one_that_a_search_finds(tmp_path: Path) -> None:
    """However it was included; by way of a link to a folder it may be another file."""
    for folder in ("a", "b", "c/d"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "b" / "x.h").write_text("")
    (tmp_path / "x.h").write_text("other")
    (tmp_path / "a" / "link").symlink_to(tmp_path / "c" / "d")
    (tmp_path / "c" / "x.h").write_text("")
    assert plain(f"{tmp_path}/a/../b/x.h") == f"{tmp_path}/b/x.h"
    assert plain(f"{tmp_path}/./b/x.h") == f"{tmp_path}/b/x.h"
    assert plain(f"{tmp_path}/b/.x.h") == f"{tmp_path}/b/.x.h"
    through = f"{tmp_path}/a/link/../x.h"
    assert plain(through) == through
    (tmp_path / "a" / "x.h").write_text("")
    plain.cache_clear()
    assert plain(through) == through
    assert plain("/none/a/../x.h") == "/none/x.h"
