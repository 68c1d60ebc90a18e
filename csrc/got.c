/* Imports of other libraries' functions: their callers' slots are redirected.
 *
 * Each loaded object lists the functions that it takes from others (gABI, "Relocation"; the
 * psABIs' JUMP_SLOT and GLOB_DAT). For the names in hooks.def the slot is made to point to the
 * shim's wrapper, and what it pointed to, or what the loader would have put there, is the real
 * function. This sees calls into libraries that were loaded RTLD_LOCAL and into a statically
 * linked interpreter, where a preload comes too late in the order of lookup.
 *
 * Objects that are loaded later are looked at when dlsym(3), dlopen(3) or pthread_create(3) is
 * called next: after a dlopen of a plug-in its dlsym follows.
 */
#include "locks.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOB_DAT = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOB_DAT = R_AARCH64_GLOB_DAT };
#else
#error "the probe knows x86-64 and aarch64"
#endif

enum { MAX_OBJECTS = 4096 };

/* Which objects have been looked at: by load address and dynamic section. */
static struct {
    uintptr_t base;
    uintptr_t dynamic;
    uintptr_t start, end;
} patched[MAX_OBJECTS];
static uint32_t patched_count;
static uint32_t modules_written;
static _Atomic uint64_t changes_seen;
static _Atomic uint32_t patching;
static _Atomic uint32_t gone_missed;

/* The hook of an import, LO_HOOK_NONE where there is none. */
static enum lo_hook find_import(const char *name)
{
    /* Few imports begin so: everything else is turned away by two letters. */
    if (!((name[0] == 'c' && name[1] == 'u') || (name[0] == 'n' && name[1] == 'c') ||
          (name[0] == 'P' && name[1] == 'y') || (name[0] == 'h' && name[1] == 'i') ||
          (name[0] == 'm' && name[1] == 't') || (name[0] == 't' && name[1] == 'h') ||
          (name[0] == 'c' && (name[1] == 'n' || name[1] == 'a')) ||
          (name[0] == '_' && name[1] == '_')))
        return LO_HOOK_NONE;
    for (size_t i = 0; i < LO_HOOK_COUNT; i++)
        if (lo_hooks[i].wrapper != NULL && strcmp(lo_hooks[i].name, name) == 0)
            return (enum lo_hook)i;
    return LO_HOOK_NONE;
}

static bool is_ours(const void *function)
{
    for (size_t i = 0; i < LO_HOOK_COUNT; i++)
        if (lo_hooks[i].wrapper == function)
            return true;
    return false;
}

static bool is_c11(enum lo_hook import)
{
    return import >= LO_HOOK_mtx_init && import <= LO_HOOK_call_once;
}

/* Whether *function* is in the object that has pthread's. */
static bool is_of_libc(const void *function)
{
    const void *headers = lo_object_of(function).headers;
    return headers != NULL && headers == lo_object_of(lo_real(LO_HOOK_pthread_mutex_lock)).headers;
}

/* The function that a slot of an import leads to, or will once it is bound: the slot of a bound one
 * has it *now*, one that was not bound yet leads to the loader. Of C11's functions NULL where it
 * may be another one than libc's, which the wrapper stands for. */
static void *behind(enum lo_hook import, void *now)
{
    if (!is_c11(import))
        return lo_find_defined(lo_hooks[import].name);
    if (is_of_libc(now))
        return now;
    void *only = lo_find_only(lo_hooks[import].name);
    return only != NULL && is_of_libc(only) ? only : NULL;
}

/* Whether *address* lies in a program that is not position-independent: its functions have
 * addresses that are as low as the offsets in a file. */
static bool is_in_program(const void *address)
{
    struct lo_object object = lo_object_of(address);
    return object.headers != NULL && object.base == 0;
}

/* ---- patching ---------------------------------------------------------------------------- */

struct object {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *strings;
    uintptr_t relro, relro_end;
    uintptr_t span; /* bytes, where it was loaded to a place that is not in the file; 0 */
    uint32_t slots;
    bool bound;
    const char *path;
};

static void write_slot(const struct object *object, uintptr_t slot, void *wrapper)
{
    bool sealed = slot >= object->relro && slot < object->relro_end;
    void *page = (void *)(slot & ~(uintptr_t)(LO_PAGE - 1));
    if (sealed && mprotect(page, LO_PAGE, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n((void **)slot, wrapper, __ATOMIC_RELEASE);
    if (sealed)
        mprotect(page, LO_PAGE, PROT_READ);
}

static void patch_relocations(struct object *object, const ElfW(Rela) * first, size_t bytes)
{
    for (const ElfW(Rela) *rela = first; rela < first + bytes / sizeof *rela; rela++) {
        uint32_t type = (uint32_t)ELF64_R_TYPE(rela->r_info);
        if (type != (uint32_t)JUMP_SLOT && type != (uint32_t)GLOB_DAT)
            continue;
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(rela->r_info)];
        const char *name = object->strings + symbol->st_name;
        /* Libraries whose own locks are nobody else's business ask in each of their calls whether
         * it is done. */
        bool past = strcmp(name, "pthread_once") == 0 && lo_is_inner_file(object->path);
        enum lo_hook import = past ? LO_HOOK_pthread_once : find_import(name);
        if (import == LO_HOOK_NONE)
            continue;
        void **slot = (void **)(object->base + rela->r_offset);
        void *now = *slot;
        void *wrapper = past ? LO_REAL(pthread_once) : lo_hooks[import].wrapper;
        bool weak = ELF64_ST_BIND(symbol->st_info) == STB_WEAK;
        if (now == wrapper || (now == NULL && (weak || object->span == 0)))
            continue; /* a weak function that is not there stays so */
        if ((uintptr_t)now < object->span && !is_in_program(now)) {
            object->bound = false; /* as it is in the file */
            return;
        }
        if (!past && (is_c11(import) || atomic_load(&lo_real_functions[import]) == NULL)) {
            void *real = behind(import, now);
            if (real == NULL)
                continue;
            atomic_store(&lo_real_functions[import], real);
        }
        write_slot(object, (uintptr_t)slot, wrapper);
        object->slots++;
    }
}

/* False: another thread is loading it, and its slots are not bound yet; the loader will add to
 * what they hold, or write over it. */
static bool patch_object(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic)
{
    const char *path = info->dlpi_name != NULL ? info->dlpi_name : "";
    struct object object = {.base = info->dlpi_addr, .bound = true, .path = path};
    const ElfW(Rela) *plt = NULL, *rela = NULL;
    size_t plt_size = 0, rela_size = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        /* glibc has made these addresses absolute, but for the vdso's and RISC-V's. */
        uintptr_t value = dynamic->d_un.d_ptr;
        uintptr_t address = value < info->dlpi_addr ? value + info->dlpi_addr : value;
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            object.symbols = (const ElfW(Sym) *)address;
            break;
        case DT_STRTAB:
            object.strings = (const char *)address;
            break;
        case DT_JMPREL:
            plt = (const ElfW(Rela) *)address;
            break;
        case DT_PLTRELSZ:
            plt_size = value;
            break;
        case DT_RELA:
            rela = (const ElfW(Rela) *)address;
            break;
        case DT_RELASZ:
            rela_size = value;
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t end = segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO) {
            object.relro = (info->dlpi_addr + segment->p_vaddr) & ~(uintptr_t)(LO_PAGE - 1);
            object.relro_end = info->dlpi_addr + end;
        }
        if (segment->p_type == PT_LOAD && info->dlpi_addr != 0 && end > object.span)
            object.span = end;
    }
    if (object.symbols == NULL || object.strings == NULL)
        return true;
    if (plt != NULL)
        patch_relocations(&object, plt, plt_size);
    if (rela != NULL && object.bound)
        patch_relocations(&object, rela, rela_size);
    if (object.slots > 0) {
        lo_count(LO_OBJECTS_PATCHED, 1);
        lo_count(LO_SLOTS_PATCHED, object.slots);
    }
    return object.bound;
}

/* ---- modules ----------------------------------------------------------------------------- */

static const unsigned char *build_id(const struct dl_phdr_info *info, uint16_t *size)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const char *end = at + info->dlpi_phdr[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *note;
            const char *content = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0 && note->n_descsz <= 64) {
                *size = (uint16_t)note->n_descsz;
                return (const unsigned char *)content;
            }
            at = content + ((note->n_descsz + 3) & ~3u);
        }
    }
    *size = 0;
    return NULL;
}

static void write_module(struct lo_thread *thread, const struct dl_phdr_info *info)
{
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (start < low)
            low = start;
        if (start + info->dlpi_phdr[i].p_memsz > high)
            high = start + info->dlpi_phdr[i].p_memsz;
    }
    patched[patched_count - 1].start = low;
    patched[patched_count - 1].end = high;
    const char *path = info->dlpi_name;
    if (path == NULL || path[0] == '\0')
        path = lo_trace->exe; /* the program itself has no name */
    else
        lo_inner_loaded(path, low, high);
    uint16_t id_size;
    const unsigned char *id = build_id(info, &id_size);
    size_t path_size = strlen(path);
    if (path_size > 1024)
        path_size = 1024;
    size_t size = (sizeof(struct lo_module_record) + id_size + path_size + 7) & ~(size_t)7;
    struct lo_module_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return;
    memset(record, 0, size);
    record->record = (struct lo_record){LO_MODULE, (uint16_t)size, ++modules_written};
    record->bias = info->dlpi_addr;
    record->start = low;
    record->end = high;
    record->build_id_size = id_size;
    record->path_size = (uint16_t)path_size;
    char *text = (char *)(record + 1);
    if (id_size > 0)
        memcpy(text, id, id_size);
    memcpy(text + id_size, path, path_size);
    lo_trace_commit(thread, size);
}

/* ---- all objects ------------------------------------------------------------------------- */

static bool is_known(uintptr_t base, uintptr_t dynamic)
{
    for (uint32_t i = 0; i < patched_count; i++)
        if (patched[i].base == base && patched[i].dynamic == dynamic)
            return true;
    return false;
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct lo_thread *thread = argument;
    const ElfW(Dyn) *dynamic = NULL;
    bool this_one = lo_object_has(info, (uintptr_t)&look_at_object);
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (is_known(info->dlpi_addr, (uintptr_t)dynamic) || patched_count == MAX_OBJECTS)
        return 0;
    const char *name = info->dlpi_name;
    bool loader =
        name != NULL && (strstr(name, "/ld-linux") != NULL || strstr(name, "vdso") != NULL);
    if (dynamic != NULL && !this_one && !loader && !patch_object(info, dynamic)) {
        atomic_store(&changes_seen, 0); /* the next one who comes tries again */
        return 0;
    }
    patched[patched_count].base = info->dlpi_addr;
    patched[patched_count++].dynamic = (uintptr_t)dynamic;
    write_module(thread, info);
    return 0;
}

static int count_changes(struct dl_phdr_info *info, size_t size, void *argument)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(uint64_t *)argument = (uint64_t)info->dlpi_adds << 20 ^ (uint64_t)info->dlpi_subs;
    return 1;
}

/* Only one thread looks at a time; what another one missed meanwhile is made up for. */
static void looked(struct lo_thread *thread)
{
    atomic_store(&patching, 0);
    lo_loader_leave();
    uint32_t births = atomic_exchange(&gone_missed, 0);
    if (births != 0)
        lo_objects_gone(thread, births);
}

void lo_objects_changed(void)
{
    struct lo_thread *thread = lo_trace != NULL ? lo_enter() : NULL;
    if (thread == NULL || lo_loader_may_be_locked() || !lo_loader_enter())
        return;
    uint64_t now = 0;
    dl_iterate_phdr(count_changes, &now);
    if (now == atomic_load(&changes_seen) || atomic_exchange(&patching, 1) != 0) {
        lo_loader_leave();
        return; /* nothing new, or another thread is at it */
    }
    int saved_errno = errno;
    lo_busy(thread);
    atomic_store(&changes_seen, now);
    dl_iterate_phdr(look_at_object, thread);
    lo_python_setup();
    lo_idle(thread);
    looked(thread);
    errno = saved_errno;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    bool *there = argument;
    for (uint32_t i = 0; i < patched_count; i++)
        if (patched[i].base == info->dlpi_addr)
            there[i] = true;
    return 0;
}

/* Called back once, while no object can be added: what is loaded to the same place afterwards has
 * locks of its own, which must not be taken for those that end here. */
static int end_what_is_gone(struct dl_phdr_info *info, size_t size, void *argument)
{
    static bool there[MAX_OBJECTS];
    (void)info;
    (void)size;
    uint32_t births = *(uint32_t *)argument;
    memset(there, 0, sizeof there);
    dl_iterate_phdr(note_object, there);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < patched_count; i++) {
        if (there[i]) {
            patched[kept++] = patched[i];
            continue;
        }
        lo_inner_gone(patched[i].start);
        lo_locks_end_older(patched[i].start, patched[i].end - patched[i].start, LO_DEATHS_BY_UNMAP,
                           births);
    }
    patched_count = kept;
    return 1;
}

/* After dlclose(3), which began when there had been *births* locks: what is not mapped any more
 * takes its locks with it, and something else may have come to lie there already. */
void lo_objects_gone(struct lo_thread *thread, uint32_t births)
{
    if (lo_trace == NULL || !lo_loader_enter())
        return;
    if (atomic_exchange(&patching, 1) != 0) {
        uint32_t none = 0;
        atomic_compare_exchange_strong(&gone_missed, &none, births); /* the oldest one counts */
        lo_loader_leave();
        return;
    }
    int saved_errno = errno;
    lo_busy(thread);
    dl_iterate_phdr(end_what_is_gone, &births);
    lo_idle(thread);
    looked(thread);
    errno = saved_errno;
}

/* In the child everything is patched already; its modules are its parent's (fork.c). */
void lo_objects_after_fork(void)
{
    atomic_store(&patching, 0);
    atomic_store(&gone_missed, 0);
}

/* Whether *address* lies in an object that was looked at, and in no memory that is given back by
 * free(3). Not known while another thread looks at objects: no. */
bool lo_in_object(uintptr_t address)
{
    if (atomic_load(&patching) != 0)
        return false;
    for (uint32_t i = 0; i < patched_count; i++)
        if (address >= patched[i].start && address < patched[i].end)
            return true;
    return false;
}

bool lo_is_import(const char *name)
{
    return name != NULL && find_import(name) != LO_HOOK_NONE;
}

/* What dlsym(3) found under the name of an import: its wrapper, from now on. */
void *lo_import_wrapper(const char *name, void *found)
{
    enum lo_hook import = name == NULL || found == NULL ? LO_HOOK_NONE : find_import(name);
    if (import == LO_HOOK_NONE || is_ours(found))
        return found;
    void *nothing = NULL;
    atomic_compare_exchange_strong(&lo_real_functions[import], &nothing, found);
    return atomic_load(&lo_real_functions[import]) == found ? lo_hooks[import].wrapper : found;
}
