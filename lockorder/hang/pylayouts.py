"""Where CPython keeps what: offsets of fields, by version.

The table is from the debug information of each version's build; tests/tools/python_layouts.py
prints it, and a test compares it where such builds are there.  The order of these fields does not
depend on x86-64 or aarch64.  From 3.13 on the runtime describes a part of itself
(_Py_DebugOffsets in pycore_runtime.h): what it says goes before the table.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from lockorder.hang.image import Image

#: 3.x of the table's columns.
VERSIONS = (9, 10, 11, 12, 13)
#: Fields by "type.field": other names of the same field in other versions are behind a bar; -1:
#: that version has none.  "type" alone is the type's size.
TABLE: dict[str, tuple[int, ...]] = {
    "PyInterpreterState.tstate_head|threads.head": (8, 8, 16, 72, 7344),
    "PyInterpreterState.modules|imports.modules": (856, 856, 888, 944, 7656),
    "PyThreadState.next": (8, 8, 8, 8, 8),
    "PyThreadState.interp": (16, 16, 16, 16, 16),
    "PyThreadState.frame": (24, 24, -1, -1, -1),
    "PyThreadState.cframe": (-1, 48, 56, 56, -1),
    "PyThreadState.current_frame": (-1, -1, -1, -1, 72),
    "PyThreadState.thread_id": (176, 176, 152, 136, 152),
    "_PyCFrame.current_frame": (-1, -1, 8, 0, -1),
    # Frames are objects up to 3.10.
    "PyFrameObject.f_back": (24, 24, 16, 16, 16),
    "PyFrameObject.f_code": (32, 32, -1, -1, -1),
    "PyFrameObject.f_globals": (48, 48, -1, -1, -1),
    "PyFrameObject.f_locals": (56, 56, -1, -1, -1),
    "PyFrameObject.f_valuestack": (64, 64, -1, -1, -1),
    "PyFrameObject.f_stacktop|f_stackdepth": (72, 80, -1, -1, -1),
    "PyFrameObject.f_lasti": (104, 96, -1, -1, -1),
    "PyFrameObject.f_iblock": (112, 104, -1, -1, -1),
    "PyFrameObject.f_blockstack": (120, 112, -1, -1, -1),
    "PyFrameObject.f_localsplus": (360, 352, -1, -1, -1),
    "_PyInterpreterFrame.f_code|f_executable": (-1, -1, 32, 0, 0),
    "_PyInterpreterFrame.previous": (-1, -1, 48, 8, 8),
    "_PyInterpreterFrame.f_globals": (-1, -1, 8, 24, 24),
    "_PyInterpreterFrame.f_locals": (-1, -1, 24, 40, 40),
    "_PyInterpreterFrame.prev_instr|instr_ptr": (-1, -1, 56, 56, 56),
    "_PyInterpreterFrame.stacktop": (-1, -1, 64, 64, 64),
    "_PyInterpreterFrame.owner": (-1, -1, 69, 70, 70),
    "_PyInterpreterFrame.localsplus": (-1, -1, 72, 72, 72),
    "PyCodeObject.co_flags": (36, 36, 48, 48, 48),
    "PyCodeObject.co_argcount": (16, 16, 56, 52, 52),
    "PyCodeObject.co_stacksize": (32, 32, 68, 64, 64),
    "PyCodeObject.co_firstlineno": (40, 40, 72, 68, 68),
    "PyCodeObject.co_nlocals": (28, 28, 80, 80, 80),
    "PyCodeObject.co_names": (64, 64, 32, 32, 32),
    "PyCodeObject.co_varnames": (72, 72, -1, -1, -1),
    "PyCodeObject.co_freevars": (80, 80, -1, -1, -1),
    "PyCodeObject.co_cellvars": (88, 88, -1, -1, -1),
    "PyCodeObject.co_code": (48, 48, -1, -1, -1),
    "PyCodeObject.co_nlocalsplus": (-1, -1, 76, 72, 72),
    "PyCodeObject.co_localsplusnames": (-1, -1, 96, 96, 96),
    "PyCodeObject.co_localspluskinds": (-1, -1, 104, 104, 104),
    "PyCodeObject.co_filename": (104, 104, 112, 112, 112),
    "PyCodeObject.co_name": (112, 112, 120, 120, 120),
    "PyCodeObject.co_qualname": (-1, -1, 128, 128, 128),
    "PyCodeObject.co_lnotab|co_linetable": (120, 120, 136, 136, 136),
    "PyCodeObject.co_exceptiontable": (-1, -1, 40, 40, 40),
    "PyCodeObject._co_firsttraceable": (-1, -1, 168, 176, 184),
    "PyCodeObject.co_code_adaptive": (-1, -1, 184, 192, 200),
    "PyGenObject.gi_frame": (16, 16, -1, -1, -1),
    "PyGenObject.gi_iframe": (-1, -1, 80, 72, 72),
    "PyGenObject.gi_frame_state": (-1, -1, 75, 67, 67),
    "PyAsyncGenASend.ags_gen": (16, 16, 16, 16, 16),
    "PyCoroWrapper.cw_coroutine": (16, 16, 16, 16, 16),
    "PyFunctionObject.func_globals": (24, 16, 16, 16, 16),
    "PyFunctionObject.func_name": (64, 32, 32, 32, 32),
    "PyFunctionObject.func_code": (16, 48, 48, 48, 48),
    "PyFunctionObject.func_closure": (48, 72, 72, 72, 72),
    "PyDescrObject.d_name": (24, 24, 24, 24, 24),
    "PyMethodObject.im_func": (16, 16, 16, 16, 16),
    "PyMethodObject.im_self": (24, 24, 24, 24, 24),
    "PyCFunctionObject.m_ml": (16, 16, 16, 16, 16),
    "PyCFunctionObject.m_self": (24, 24, 24, 24, 24),
    "PyCellObject.ob_ref": (16, 16, 16, 16, 16),
    "PyModuleObject.md_dict": (16, 16, 16, 16, 16),
    "PyWeakReference.wr_object": (16, 16, 16, 16, 16),
    "PyTypeObject.tp_name": (24, 24, 24, 24, 24),
    "PyTypeObject.tp_basicsize": (32, 32, 32, 32, 32),
    "PyTypeObject.tp_itemsize": (40, 40, 40, 40, 40),
    "PyTypeObject.tp_flags": (168, 168, 168, 168, 168),
    "PyTypeObject.tp_members": (240, 240, 240, 240, 240),
    "PyTypeObject.tp_base": (256, 256, 256, 256, 256),
    "PyTypeObject.tp_dict": (264, 264, 264, 264, 264),
    "PyTypeObject.tp_dictoffset": (288, 288, 288, 288, 288),
    "PyTypeObject.tp_mro": (344, 344, 344, 344, 344),
    "PyHeapTypeObject.ht_qualname": (856, 864, 864, 872, 872),
    "PyHeapTypeObject.ht_cached_keys": (864, 872, 872, 880, 880),
    "PyASCIIObject.length": (16, 16, 16, 16, 16),
    "PyASCIIObject.state": (32, 32, 32, 32, 32),
    "PyASCIIObject": (48, 48, 48, 40, 40),
    "PyCompactUnicodeObject": (72, 72, 72, 56, 56),
    "PyBytesObject.ob_sval": (32, 32, 32, 32, 32),
    "PyTupleObject.ob_item": (24, 24, 24, 24, 24),
    "PyListObject.ob_item": (24, 24, 24, 24, 24),
    "PyDictObject.ma_used": (16, 16, 16, 16, 16),
    "PyDictObject.ma_keys": (32, 32, 32, 32, 32),
    "PyDictObject.ma_values": (40, 40, 40, 40, 40),
    "PyDictKeysObject.dk_size|dk_log2_size": (8, 8, 8, 8, 8),
    "PyDictKeysObject.dk_log2_index_bytes": (-1, -1, 9, 9, 9),
    "PyDictKeysObject.dk_kind": (-1, -1, 10, 10, 10),
    "PyDictKeysObject.dk_nentries": (32, 32, 24, 24, 24),
    "PyDictKeysObject.dk_indices": (40, 40, 32, 32, 32),
    "PyDictValues.values": (-1, -1, 0, 0, 8),
    "PyDictValues.valid": (-1, -1, -1, -1, 3),
    "PySetObject.mask": (32, 32, 32, 32, 32),
    "PySetObject.table": (40, 40, 40, 40, 40),
    "dequeobject.leftblock": (24, 24, 24, 24, 24),
    "dequeobject.leftindex": (40, 40, 40, 40, 40),
    "block.data": (8, 8, 8, 8, 8),
    "block.rightlink": (520, 520, 520, 520, 520),
    "lockobject.lock_lock": (16, 16, 16, 16, 16),
    "rlockobject.rlock_lock": (16, 16, 16, 16, 16),
    "rlockobject.rlock_owner": (24, 24, 24, 24, 24),
    "rlockobject.rlock_count": (32, 32, 32, 32, 32),
    "PyThreadHandleObject.handle": (-1, -1, -1, -1, 16),
    "ThreadHandle.ident": (-1, -1, -1, -1, 32),
    "ThreadHandle.thread_is_exiting": (-1, -1, -1, -1, 57),
    "lockobject.locked": (32, 32, 32, 32, 32),
    # In extension modules: "module:type.field".
    "_multiprocessing:SemLockObject.handle": (16, 16, 16, 16, 16),
    "_multiprocessing:SemLockObject.last_tid": (24, 24, 24, 24, 24),
    "_multiprocessing:SemLockObject.count": (32, 32, 32, 32, 32),
    "_queue:simplequeueobject.lock|has_threads_waiting": (16, 16, 16, 16, 16),
    "_queue:simplequeueobject.lst": (32, 32, 32, 32, -1),
    "_queue:simplequeueobject.lst_pos": (40, 40, 40, 40, -1),
    "_queue:simplequeueobject.buf": (-1, -1, -1, -1, 24),
    "_queue:RingBuf.get_idx": (-1, -1, -1, -1, 8),
    "_queue:RingBuf.items": (-1, -1, -1, -1, 16),
    "_queue:RingBuf.items_cap": (-1, -1, -1, -1, 24),
    "_queue:RingBuf.num_items": (-1, -1, -1, -1, 32),
    "_asyncio:TaskObj.task_loop": (16, 16, 16, 16, 16),
    "_asyncio:TaskObj.task_state": (80, 88, 88, 88, 96),
    "_asyncio:TaskObj.task_fut_waiter": (144, 152, 128, 128, 112),
    "_asyncio:TaskObj.task_coro": (152, 160, 136, 136, 120),
    "_asyncio:TaskObj.task_name": (160, 168, 144, 144, 128),
    "_asyncio:FutureObj.fut_loop": (16, 16, 16, 16, 16),
    "_asyncio:FutureObj.fut_state": (80, 88, 88, 88, 96),
    "_asyncio:futureiterobject.future": (16, 16, 16, 16, 16),
}
#: Words of _Py_DebugOffsets that say what the table says, too, by 3.x.
_DESCRIBED: dict[int, dict[str, int]] = {
    13: {
        "PyInterpreterState.tstate_head": 9,
        "PyInterpreterState.modules": 11,
        "PyThreadState.next": 21,
        "PyThreadState.interp": 22,
        "PyThreadState.current_frame": 23,
        "PyThreadState.thread_id": 24,
        "_PyInterpreterFrame.previous": 29,
        "_PyInterpreterFrame.f_code": 30,
        "_PyInterpreterFrame.prev_instr": 31,
        "_PyInterpreterFrame.localsplus": 32,
        "_PyInterpreterFrame.owner": 33,
        "PyCodeObject.co_filename": 35,
        "PyCodeObject.co_name": 36,
        "PyCodeObject.co_qualname": 37,
        "PyCodeObject.co_lnotab": 38,
        "PyCodeObject.co_firstlineno": 39,
        "PyCodeObject.co_argcount": 40,
        "PyCodeObject.co_localsplusnames": 41,
        "PyCodeObject.co_localspluskinds": 42,
        "PyCodeObject.co_code_adaptive": 43,
    },
}
_WORDS = 64


class Layout:
    """Offsets of one version: ``layout["type.field"]``, by the first of a field's names."""

    def __init__(self, version: int, offsets: Mapping[str, int]) -> None:
        #: 3.x
        self.version = version
        self._offsets = offsets

    def __getitem__(self, field: str) -> int:
        return self._offsets[field]


def of_version(version: int) -> Layout | None:
    """The layout of 3.*version* by the table alone; None: that version is not in it."""
    if version not in VERSIONS:
        return None
    column = VERSIONS.index(version)
    offsets = {name.partition("|")[0]: row[column] for name, row in TABLE.items()}
    return Layout(version, offsets)


def of_image(image: Image, runtime: int, version: int) -> Layout | None:
    """The layout of an interpreter that has its _PyRuntime at *runtime*; None: not known.

    Builds without the GIL have other objects, and are not known.
    """
    known = of_version(version)
    words = _DESCRIBED.get(version)
    if known is None or words is None:
        return known
    content = image.read(runtime, 8 * _WORDS)
    if content is None:
        return None
    said = struct.unpack(f"<{_WORDS}Q", content)
    free_threaded = said[2]
    if content[:8] != b"xdebugpy" or free_threaded:
        return None
    described = {name: said[at] for name, at in words.items()}
    if any(offset > 1 << 20 for offset in described.values()):
        return None
    return Layout(version, {**known._offsets, **described})
