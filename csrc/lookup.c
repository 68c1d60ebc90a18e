/* Where a function or variable is defined, asked of the loaded objects' own symbol tables, and
 * which object an address lies in.
 *
 * dlsym(3) needs a handle, and dlopen(3) takes the loader's first lock. Called back by
 * dl_iterate_phdr(3), which holds its second one, that is the wrong order: another thread's
 * dlopen takes them the other way round. The tables can be read without either.
 */
#include "shim.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Half) * versions;
    const uint32_t *gnu_hash;
    const uint32_t *hash;
};

static bool find_tables(const struct dl_phdr_info *info, struct tables *tables)
{
    const ElfW(Dyn) *dynamic = NULL;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t value = dynamic->d_un.d_ptr; /* see patch_object in got.c */
        const void *address =
            (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
        if (dynamic->d_tag == DT_SYMTAB)
            tables->symbols = address;
        else if (dynamic->d_tag == DT_STRTAB)
            tables->strings = address;
        else if (dynamic->d_tag == DT_VERSYM)
            tables->versions = address;
        else if (dynamic->d_tag == DT_GNU_HASH)
            tables->gnu_hash = address;
        else if (dynamic->d_tag == DT_HASH)
            tables->hash = address;
    }
    return tables->symbols != NULL && tables->strings != NULL;
}

/* Defined here, and what a lookup without a version may find (gABI, "Symbol Table";
 * LSB, "Symbol Version Table": the top bit hides all but the default version). */
static bool is_it(const struct tables *tables, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &tables->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    bool hidden = tables->versions != NULL && (tables->versions[index] & 0x8000) != 0;
    return (type == STT_FUNC || type == STT_OBJECT) && !hidden && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_value != 0 && strcmp(tables->strings + symbol->st_name, name) == 0;
}

/* The hash table that binutils and lld write: buckets of runs, whose last hash has its low bit
 * set. The Bloom filter before them turns nearly everything away. */
static uint32_t in_gnu_hash(const struct tables *tables, const char *name)
{
    uint32_t hash = 5381;
    for (const char *c = name; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    uint32_t buckets = tables->gnu_hash[0], first = tables->gnu_hash[1];
    uint32_t words = tables->gnu_hash[2], shift = tables->gnu_hash[3];
    const uint64_t *bloom = (const uint64_t *)(tables->gnu_hash + 4);
    const uint32_t *bucket = (const uint32_t *)(bloom + words);
    uint64_t both = (uint64_t)1 << hash % 64 | (uint64_t)1 << (hash >> shift) % 64;
    if (buckets == 0 || words == 0 || (bloom[hash / 64 % words] & both) != both)
        return 0;
    uint32_t index = bucket[hash % buckets];
    if (index < first)
        return 0;
    for (const uint32_t *chain = bucket + buckets + (index - first);; chain++, index++) {
        if ((*chain | 1) == (hash | 1) && is_it(tables, index, name))
            return index;
        if (*chain & 1)
            return 0;
    }
}

/* gABI, "Hash Table". */
static uint32_t in_hash(const struct tables *tables, const char *name)
{
    uint32_t hash = 0;
    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        uint32_t high = hash & 0xf0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    uint32_t buckets = tables->hash[0];
    const uint32_t *bucket = tables->hash + 2, *chain = bucket + buckets;
    uint32_t index = buckets == 0 ? 0 : bucket[hash % buckets];
    while (index != 0 && !is_it(tables, index, name))
        index = chain[index];
    return index;
}

bool lo_object_has(const struct dl_phdr_info *info, uintptr_t address)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address - start < segment->p_memsz)
            return true;
    }
    return false;
}

struct search {
    const char *name;
    void *found;
    bool all;
    unsigned count;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct search *search = argument;
    struct tables tables = {0};
    if (lo_object_has(info, (uintptr_t)&look_into))
        return 0; /* the shim itself: what is wanted is behind it */
    if (info->dlpi_name == NULL || strstr(info->dlpi_name, "linux-vdso") != NULL ||
        !find_tables(info, &tables))
        return 0;
    uint32_t index = tables.gnu_hash != NULL ? in_gnu_hash(&tables, search->name)
                     : tables.hash != NULL   ? in_hash(&tables, search->name)
                                             : 0;
    if (index == 0)
        return 0;
    search->found = (void *)(info->dlpi_addr + tables.symbols[index].st_value);
    search->count++;
    return search->all ? 0 : 1;
}

/* By name, in whatever object defines it, loaded globally or not, other than the
 * shim. */
void *lo_find_defined(const char *name)
{
    struct search search = {.name = name};
    dl_iterate_phdr(look_into, &search);
    return search.found;
}

/* The same, where one object alone defines it; NULL where several do. */
void *lo_find_only(const char *name)
{
    struct search search = {.name = name, .all = true};
    dl_iterate_phdr(look_into, &search);
    return search.count == 1 ? search.found : NULL;
}

struct whereabouts {
    uintptr_t address;
    struct lo_object object;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct whereabouts *of = argument;
    if (!lo_object_has(info, of->address))
        return 0;
    of->object = (struct lo_object){info->dlpi_phdr, info->dlpi_addr};
    return 1;
}

struct lo_object lo_object_of(const void *address)
{
    struct whereabouts of = {.address = (uintptr_t)address};
    dl_iterate_phdr(find_object, &of);
    return of.object;
}
