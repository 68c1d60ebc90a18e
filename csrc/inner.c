/* Code of libraries whose own locks are nobody else's business.
 *
 * Nobody who runs a job can change what CUDA's libraries do among themselves, and their calls take
 * hundreds of their own locks each. By the files' names: `lockorder run` hands over those that
 * knowledge/libraries.toml and the configuration say; otherwise those that the first says.
 */
#include "locks.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

uint8_t lo_inner_grains[LO_INNER_GRAINS];
struct lo_inner_range lo_inner_ranges[LO_INNER_MOST + 1];

static const char *patterns = "libcuda.so*:libnvidia-*.so*:libcudadebugger.so*:libnvcuvid.so*:"
                              "libcudart*.so*:libcublas*.so*:libcudnn*.so*:libcufft*.so*:"
                              "libcurand*.so*:libcusolver*.so*:libcusparse*.so*:"
                              "libcusparseLt*.so*:libnvrtc*.so*:libnvJitLink*.so*:libcupti*.so*:"
                              "libnvToolsExt*.so*:libcufile*.so*:libnvml*.so*:libamdhip64.so*:"
                              "libhsa-runtime64.so*:librocblas.so*:libMIOpen.so*:"
                              "libhipblas*.so*:libopenblas*.so*:libscipy_openblas*.so*:"
                              "libmkl_*.so*";

void lo_inner_setup(void)
{
    const char *text = secure_getenv("LOCKORDER_INNER");
    if (text != NULL)
        patterns = text;
}

static bool is_listed(const char *name)
{
    char pattern[128];
    for (const char *from = patterns; *from != '\0';) {
        size_t size = strcspn(from, ":");
        if (size > 0 && size < sizeof pattern) {
            memcpy(pattern, from, size);
            pattern[size] = '\0';
            if (fnmatch(pattern, name, 0) == 0)
                return true;
        }
        from += size + (from[size] == ':');
    }
    return false;
}

bool lo_is_inner_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return is_listed(slash != NULL ? slash + 1 : path);
}

/* Two ranges can want one entry of the table: the later one has it, and the locks of the other are
 * recorded like anybody's there. */
void lo_inner_loaded(const char *path, uintptr_t start, uintptr_t end)
{
    if (start >= end || !lo_is_inner_file(path))
        return;
    for (uint32_t which = 1; which <= LO_INNER_MOST; which++) {
        if (lo_inner_ranges[which].size != 0)
            continue;
        lo_inner_ranges[which] = (struct lo_inner_range){start, end - start};
        uintptr_t grain = start >> LO_INNER_GRAIN_SHIFT;
        for (; grain <= (end - 1) >> LO_INNER_GRAIN_SHIFT; grain++)
            lo_inner_grains[grain & (LO_INNER_GRAINS - 1)] = (uint8_t)which;
        return;
    }
}

void lo_inner_gone(uintptr_t start)
{
    for (uint32_t which = 1; which <= LO_INNER_MOST; which++)
        if (lo_inner_ranges[which].size != 0 && lo_inner_ranges[which].start == start)
            lo_inner_ranges[which].size = 0;
}
