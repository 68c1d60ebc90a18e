/* The Python functions that a thread is in, read by the thread itself.
 *
 * A thread's frames change by what that thread does, so that it can walk over them without the
 * GIL; and the functions' code lives as long as they run. Nothing is called that could allocate
 * or run Python code. Where CPython keeps what is in struct layout, by version: the debug
 * information of each version's own build, as in lockorder/hang/pylayouts.py. Interpreters that
 * are not in it are told as such in the trace (LO_PYTHON_UNKNOWN), and their frames are not read.
 */
#include "python_frames.h"

#include "locks.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST = 9, NEWEST = 14, OWNED_BY_C = 3, UNIT = 2, MOST_TEXT = 1024, MOST_CLASS = 256 };

/* Offsets in bytes. frame: a PyFrameObject up to 3.10, a _PyInterpreterFrame after that. */
struct layout {
    uint16_t state_frame; /* PyThreadState: the frame; 3.11, 3.12: a _PyCFrame that has it */
    int16_t cframe_frame; /* _PyCFrame.current_frame; -1: there is none between */
    uint8_t frame_code, frame_previous, frame_at;
    int8_t frame_entry, frame_owner; /* -1: there is none */
    uint8_t code_first, code_file, code_qualified, code_lines;
    uint8_t code_instructions; /* 0: not in the object itself */
    uint8_t text_data, text_wide_data;
    uint16_t frame_variables; /* 0: code knows its class */
};

static const struct layout layouts[NEWEST - OLDEST + 1] = {
    {24, -1, 32, 24, 104, -1, -1, 40, 104, 112, 120, 0, 48, 72, 360},
    {24, -1, 32, 24, 96, -1, -1, 40, 104, 112, 120, 0, 48, 72, 352},
    {56, 8, 32, 48, 56, 68, 69, 72, 112, 128, 136, 184, 48, 72, 0},
    {56, 0, 0, 8, 56, -1, 70, 68, 112, 128, 136, 192, 40, 56, 0},
    {72, -1, 0, 8, 56, -1, 70, 68, 112, 128, 136, 200, 40, 56, 0},
    {72, -1, 0, 8, 56, -1, 74, 68, 112, 128, 136, 208, 40, 56, 0},
};

/* PyObject, PyBytesObject and PyASCIIObject, of builds with the GIL. */
enum {
    OBJECT_TYPE = 8,
    BYTES_SIZE = 16,
    BYTES_DATA = 32,
    TYPE_NAME = 24,
    CODE_ARGUMENTS = 16, /* up to 3.10 */
    TEXT_LENGTH = 16,
    TEXT_STATE = 32,
    TEXT_KIND_SHIFT = 2, /* of the state: 2 bits of interned, 3 of kind, compact, ascii */
    TEXT_COMPACT = 32,
    TEXT_ASCII = 64,
    NO_LINE = -128, /* in a line table: nothing in the source */
};

static const struct layout *_Atomic layout;
static int minor;
static uintptr_t code_type, text_type, bytes_type;
static _Atomic(void *) current_state, own_state, is_initialized;

typedef void *(*get_state)(void);

static uintptr_t word(uintptr_t at)
{
    uintptr_t value;
    memcpy(&value, (const void *)at, sizeof value);
    return value;
}

static int32_t number(uintptr_t at)
{
    int32_t value;
    memcpy(&value, (const void *)at, sizeof value);
    return value;
}

/* "3.11.7 (main, ...)"; a build without the GIL says so. */
bool lo_python_frames_setup(void *state, void *own, void *initialized)
{
    const char *(*get_version)(void) = (const char *(*)(void))lo_find_defined("Py_GetVersion");
    const char *version = get_version == NULL ? "" : get_version();
    minor = strncmp(version, "3.", 2) == 0 ? atoi(version + 2) : 0;
    code_type = (uintptr_t)lo_find_defined("PyCode_Type");
    text_type = (uintptr_t)lo_find_defined("PyUnicode_Type");
    bytes_type = (uintptr_t)lo_find_defined("PyBytes_Type");
    if (strstr(version, "free-threading") != NULL || sizeof(void *) != 8 || minor < OLDEST ||
        minor > NEWEST || code_type == 0 || text_type == 0 || bytes_type == 0)
        return false;
    atomic_store(&current_state, state);
    atomic_store(&own_state, own);
    atomic_store(&is_initialized, initialized);
    atomic_store(&layout, &layouts[minor - OLDEST]);
    return true;
}

int lo_python_minor(void)
{
    return atomic_load(&layout) != NULL ? minor : 0;
}

/* This thread's PyThreadState: the one it runs as, or the one that it has given up the GIL with.
 * Not while the interpreter ends: it takes the states of other threads away. */
static uintptr_t thread_state(void)
{
    if (((int (*)(void))atomic_load(&is_initialized))() == 0)
        return 0;
    if (lo_gil_held())
        return (uintptr_t)((get_state)atomic_load(&current_state))();
    return (uintptr_t)((get_state)atomic_load(&own_state))();
}

/* The innermost frame, 0: none. */
static uintptr_t innermost(const struct layout *in)
{
    uintptr_t state = thread_state();
    uintptr_t frame = state == 0 ? 0 : word(state + in->state_frame);
    if (in->cframe_frame >= 0 && frame != 0)
        frame = word(frame + (uintptr_t)in->cframe_frame);
    return frame;
}

static void walk(struct lo_python_frames *out, uint32_t most)
{
    const struct layout *in = atomic_load_explicit(&layout, memory_order_acquire);
    out->count = 0;
    out->truncated = false;
    if (LO_LIKELY(in == NULL))
        return;
    for (uintptr_t frame = innermost(in); frame != 0; frame = word(frame + in->frame_previous)) {
        if (in->frame_owner >= 0 &&
            *(const uint8_t *)(frame + (uintptr_t)in->frame_owner) >= OWNED_BY_C) {
            if (out->count > 0)
                out->frame[out->count - 1].entry = true;
            continue;
        }
        uintptr_t code = word(frame + in->frame_code) & ~(uintptr_t)7; /* 3.14 marks references */
        if (code == 0 || word(code + OBJECT_TYPE) != code_type)
            continue;
        if (out->count == most) {
            out->truncated = true;
            break;
        }
        struct lo_python_frame *known = &out->frame[out->count++];
        known->code = code;
        known->frame = frame;
        known->at = in->code_instructions == 0 ? (uintptr_t)number(frame + in->frame_at)
                                               : word(frame + in->frame_at);
        known->entry =
            in->code_instructions == 0 ||
            (in->frame_entry >= 0 && *(const bool *)(frame + (uintptr_t)in->frame_entry));
    }
    if (out->count > 0 && !out->truncated)
        out->frame[out->count - 1].entry = true;
}

void lo_python_walk(struct lo_python_frames *out)
{
    walk(out, LO_MAX_PYTHON);
}

uintptr_t lo_python_place(uintptr_t pc)
{
    if (LO_LIKELY(!lo_in_python(pc)))
        return pc;
    struct lo_python_frames python;
    walk(&python, 1);
    return pc ^ (uintptr_t)lo_python_hash(&python);
}

/* What tells one place from another. Of a function that is gone, whose memory another one has, the
 * file, the first line or the table of lines is another, too. */
uint64_t lo_python_hash(const struct lo_python_frames *frames)
{
    const struct layout *in = atomic_load_explicit(&layout, memory_order_relaxed);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < frames->count; i++) {
        uintptr_t code = frames->frame[i].code;
        hash = lo_mix(hash, code);
        hash = lo_mix(hash, frames->frame[i].at);
        hash = lo_mix(hash, word(code + in->code_file) ^ word(code + in->code_lines) << 20 ^
                                (uint64_t)number(code + in->code_first));
    }
    return hash;
}

/* ---- lines: Objects/lnotab_notes.txt (up to 3.10), Objects/locations.md ------------------- */

struct table {
    const uint8_t *at, *end;
};

static uint32_t line_39(struct table table, int32_t first, int64_t offset)
{
    int64_t at = 0, line = first;
    for (; table.end - table.at >= 2; table.at += 2) {
        at += table.at[0];
        if (at > offset)
            break;
        line += (int8_t)table.at[1];
    }
    return (uint32_t)line;
}

static uint32_t line_310(struct table table, int32_t first, int64_t offset)
{
    int64_t at = 0, line = first;
    for (; table.end - table.at >= 2; table.at += 2) {
        int8_t change = (int8_t)table.at[1];
        line += change == NO_LINE ? 0 : change;
        at += table.at[0];
        if (at > offset)
            return change == NO_LINE ? 0 : (uint32_t)line;
    }
    return 0;
}

/* Six bits a byte, the lowest first. */
static uint64_t varint(struct table *table)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; table->at < table->end && shift < 64; shift += 6) {
        uint8_t byte = *table->at++;
        value |= (uint64_t)(byte & 63) << shift;
        if (!(byte & 64))
            break;
    }
    return value;
}

static int64_t signed_varint(struct table *table)
{
    uint64_t value = varint(table);
    return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

static uint32_t line_311(struct table table, int32_t first, int64_t unit)
{
    enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
    int64_t at = 0, line = first;
    while (table.at < table.end) {
        uint8_t head = *table.at++;
        uint8_t kind = head >> 3 & 15;
        if (kind == LONG) {
            line += signed_varint(&table);
            for (int i = 0; i < 3; i++)
                varint(&table);
        } else if (kind == NO_COLUMNS) {
            line += signed_varint(&table);
        } else if (kind >= ONE_LINE && kind < NO_COLUMNS) {
            line += kind - ONE_LINE;
            table.at += 2;
        } else if (kind < ONE_LINE) {
            table.at += 1;
        }
        at += (head & 7) + 1;
        if (at > unit)
            return kind == NONE ? 0 : (uint32_t)line;
    }
    return 0;
}

static uint32_t line_of(const struct layout *in, const struct lo_python_frame *frame)
{
    uintptr_t bytes = word(frame->code + in->code_lines);
    int32_t first = number(frame->code + in->code_first);
    if (bytes == 0 || word(bytes + OBJECT_TYPE) != bytes_type)
        return first > 0 ? (uint32_t)first : 0;
    const uint8_t *data = (const uint8_t *)(bytes + BYTES_DATA);
    struct table table = {data, data + word(bytes + BYTES_SIZE)};
    if (in->code_instructions == 0) {
        int64_t at = (int32_t)frame->at; /* 3.10 counts units, 3.9 bytes */
        if (at < 0)
            return (uint32_t)first;
        return minor <= 9 ? line_39(table, first, at) : line_310(table, first, UNIT * at);
    }
    int64_t unit = (int64_t)(frame->at - frame->code - in->code_instructions) / UNIT;
    return unit < 0 ? (uint32_t)first : line_311(table, first, unit);
}

/* ---- names -------------------------------------------------------------------------------- */

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 63));
        out[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 63));
    out[2] = (char)(0x80 | (c >> 6 & 63));
    out[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* A string as UTF-8, at most *room* bytes of it; where it is longer, its end: that of a path is
 * the file. How many bytes. */
static size_t copy_text(const struct layout *in, uintptr_t text, char *out, size_t room)
{
    if (text == 0 || word(text + OBJECT_TYPE) != text_type)
        return 0;
    uint32_t state = (uint32_t)number(text + TEXT_STATE);
    size_t length = word(text + TEXT_LENGTH), used = 0;
    uint32_t kind = state >> TEXT_KIND_SHIFT & 7;
    if (!(state & TEXT_COMPACT) || (kind != 1 && kind != 2 && kind != 4))
        return 0;
    uintptr_t data = text + (state & TEXT_ASCII ? in->text_data : in->text_wide_data);
    size_t most = state & TEXT_ASCII ? room : room / 4;
    for (size_t i = length > most ? length - most : 0; i < length; i++) {
        uintptr_t at = data + i * kind;
        uint32_t c = *(const uint8_t *)at;
        if (kind == 2)
            c = *(const uint16_t *)at;
        else if (kind == 4)
            c = *(const uint32_t *)at;
        used += put_utf8(out + used, c);
    }
    return used;
}

/* "Queue." for the frame of a constructor, whose code does not say its class up to 3.10. */
static size_t copy_class(const struct layout *in, const struct lo_python_frame *frame, char *out,
                         const char *name, size_t size)
{
    static const char constructor[] = "__init__";
    if (in->frame_variables == 0 || size != sizeof constructor - 1 ||
        memcmp(name, constructor, size) != 0 || number(frame->code + CODE_ARGUMENTS) < 1)
        return 0;
    uintptr_t self = word(frame->frame + in->frame_variables);
    const char *class = self == 0 ? NULL : (const char *)word(word(self + OBJECT_TYPE) + TYPE_NAME);
    size_t length = class == NULL ? 0 : strnlen(class, MOST_CLASS);
    memcpy(out, class == NULL ? "" : class, length);
    if (length > 0)
        out[length++] = '.';
    return length;
}

/* ---- the trace ---------------------------------------------------------------------------- */

enum { PLACES = 1 << 14, MOST_PLACES = 12000, PROBES = 64 };

/* hash in the upper half, number in the lower; 0 is empty */
static _Atomic uint64_t *places;
static atomic_uint placed;

void lo_python_frames_begin(void)
{
    if (places == NULL)
        places = lo_map(PLACES * sizeof *places);
}

void lo_python_frames_after_fork(void)
{
    if (places != NULL)
        lo_clear(places, PLACES * sizeof *places);
    atomic_store(&placed, 0);
}

static lo_id write_place(struct lo_thread *thread, lo_id id, uint32_t line, const char *text,
                         size_t file, size_t name)
{
    size_t size = (sizeof(struct lo_place_record) + file + name + 7) / 8 * 8;
    struct lo_place_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return 0;
    record->record = (struct lo_record){LO_PLACE, (uint16_t)size, id};
    record->line = line;
    record->file_size = (uint16_t)file;
    record->name_size = (uint16_t)name;
    memcpy((char *)(record + 1), text, file + name);
    lo_trace_commit(thread, size);
    return id;
}

/* The number of a file, function and line; 0: there is no room. */
static lo_id place_of(struct lo_thread *thread, const struct lo_python_frame *frame)
{
    const struct layout *in = atomic_load_explicit(&layout, memory_order_relaxed);
    char text[2 * MOST_TEXT + MOST_CLASS + 1], last[MOST_TEXT];
    size_t file = copy_text(in, word(frame->code + in->code_file), text, MOST_TEXT);
    size_t own = copy_text(in, word(frame->code + in->code_qualified), last, MOST_TEXT);
    size_t name = copy_class(in, frame, text + file, last, own);
    memcpy(text + file + name, last, own);
    name += own;
    uint32_t line = line_of(in, frame);
    uint64_t hash = lo_mix(line, file);
    for (size_t i = 0; i < file + name; i++)
        hash = lo_mix(hash, (uint8_t)text[i]);
    uint32_t tag = (uint32_t)(hash >> 32) | 1;
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        _Atomic uint64_t *slot = &places[(hash + probe) % PLACES];
        uint64_t seen = atomic_load_explicit(slot, memory_order_acquire);
        if (seen == 0) {
            lo_id id = atomic_fetch_add(&placed, 1) + 1;
            if (id > MOST_PLACES || write_place(thread, id, line, text, file, name) == 0)
                break;
            if (atomic_compare_exchange_strong(slot, &seen, (uint64_t)tag << 32 | id))
                return id;
        }
        if ((uint32_t)(seen >> 32) == tag)
            return (lo_id)seen;
    }
    return 0;
}

/* The Python frames of a stack. They come before the stack: who reads that has them. */
void lo_python_write(struct lo_thread *thread, const struct lo_python_frames *frames, lo_id stack)
{
    if (frames->count == 0 || places == NULL)
        return;
    uint32_t entry[LO_MAX_PYTHON];
    uint32_t missing = 0;
    for (uint32_t i = 0; i < frames->count; i++) {
        lo_id place = place_of(thread, &frames->frame[i]);
        missing += place == 0;
        entry[i] = place | (frames->frame[i].entry ? LO_PYTHON_ENTRY : 0);
    }
    if (missing > 0)
        lo_count(LO_PLACES_DROPPED, missing);
    struct lo_python_key *key = &thread->python;
    uint32_t shared = 0;
    while (shared < key->frames && shared < frames->count &&
           key->entry[key->frames - 1 - shared] == entry[frames->count - 1 - shared])
        shared++;
    if (shared * 2 < frames->count || frames->truncated)
        shared = 0;
    uint32_t own = frames->count - shared;
    size_t size = (sizeof(struct lo_python_record) + own * sizeof *entry + 7) / 8 * 8;
    struct lo_python_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return;
    record->record = (struct lo_record){LO_PYTHON, (uint16_t)size, stack};
    record->frames = own;
    record->truncated = frames->truncated;
    record->base = shared > 0 ? key->stack : 0;
    record->shared = shared;
    memcpy(record->entry, entry, own * sizeof *entry);
    lo_trace_commit(thread, size);
    if (shared == 0) {
        key->stack = stack;
        key->frames = frames->truncated ? 0 : frames->count;
        memcpy(key->entry, entry, frames->count * sizeof *entry);
    }
}
