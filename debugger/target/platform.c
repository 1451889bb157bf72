/* platform.c - machine type of a file or a process
 *
 * What a library and this program were built for, by their ELF headers.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/platform.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "process/regular.h"

enum { LITTLE_HOST = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

/* Processors by the name that users know them by. */
static const struct {
    uint32_t cpu;
    const char *name;
} cpus[] = {
    { EM_SPARC, "SPARC" }, { EM_386, "x86" }, { EM_MIPS, "MIPS" },
    { EM_PPC, "PowerPC" }, { EM_PPC64, "64-bit PowerPC" },
    { EM_S390, "S/390" }, { EM_ARM, "ARM" }, { EM_SPARCV9, "64-bit SPARC" },
    { EM_IA_64, "Itanium" }, { EM_X86_64, "x86-64" },
    { EM_AARCH64, "AArch64" }, { EM_RISCV, "RISC-V" }
};

/* The platform in the first bytes of an ELF file. */
struct header {
    struct mq_platform platform;
    uint32_t type;              /* ET_... */
};

static const char *cpu_name(uint32_t cpu)
{
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++)
        if (cpus[i].cpu == cpu)
            return cpus[i].name;
    return NULL;
}

static enum mq_result read_header(const char *file, struct mq_error *error,
                                  struct header *header)
{
    /* Both kinds of header agree up to e_machine. */
    unsigned char bytes[sizeof(Elf32_Ehdr)];
    enum mq_byte_order order;
    uint32_t data, class;
    size_t got = 0;
    int descriptor = mq_regular_open(file);

    if (descriptor < 0 && errno == EINVAL)
        return mq_fail(error, "%s: it is not a regular file", file);
    if (descriptor < 0)
        return mq_fail(error, "%s: %s", file, strerror(errno));
    while (got < sizeof bytes) {
        ssize_t n = read(descriptor, bytes + got, sizeof bytes - got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    close(descriptor);
    if (got < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return mq_fail(error, "%s: it is not an ELF file, so it is no "
                       "shared library", file);
    if (got < sizeof bytes)
        return mq_fail(error, "%s: it ends within its ELF header", file);
    data = bytes[EI_DATA];
    class = bytes[EI_CLASS];
    if ((data != ELFDATA2LSB && data != ELFDATA2MSB) ||
        (class != ELFCLASS32 && class != ELFCLASS64))
        return mq_fail(error, "%s: its ELF header makes no sense: class %u, "
                       "byte order %u", file, class, data);
    order = data == ELFDATA2LSB ? mq_little_endian : mq_big_endian;
    header->platform.byte_order = data;
    header->platform.pointer_size = class == ELFCLASS32 ? 4 : 8;
    header->platform.os = bytes[EI_OSABI];
    header->type = (uint32_t)mq_decode_unsigned(
        order, bytes + offsetof(Elf32_Ehdr, e_type), 2);
    header->platform.cpu = (uint32_t)mq_decode_unsigned(
        order, bytes + offsetof(Elf32_Ehdr, e_machine), 2);
    return mq_ok;
}

struct mq_platform mq_platform_of_tool(void)
{
    struct mq_platform tool = {
        .byte_order = LITTLE_HOST ? ELFDATA2LSB : ELFDATA2MSB,
        .pointer_size = sizeof(void *)
    };
    struct header own;

    if (read_header("/proc/self/exe", NULL, &own) == mq_ok)
        tool.cpu = own.platform.cpu;
#ifdef __linux__
    tool.os = ELFOSABI_LINUX;
#endif
    return tool;
}

struct mq_platform mq_platform_of_target(const struct mq_target *target)
{
    struct mq_platform platform = {
        .byte_order = target->byte_order == mq_little_endian ? ELFDATA2LSB
                                                             : ELFDATA2MSB,
        .pointer_size = (uint32_t)target->sizes.pointer_size
    };
    struct header file;

    if (target->image != NULL &&
        read_header(target->image, NULL, &file) == mq_ok &&
        file.platform.byte_order == platform.byte_order &&
        file.platform.pointer_size == platform.pointer_size) {
        platform.os = file.platform.os;
        platform.cpu = file.platform.cpu;
    }
    return platform;
}

static const char *order_name(uint32_t byte_order)
{
    return byte_order == ELFDATA2LSB ? "little-endian" : "big-endian";
}

static int differ(uint32_t wanted, uint32_t actual)
{
    return wanted != 0 && actual != 0 && wanted != actual;
}

enum mq_result mq_platform_fits(const struct mq_platform *wanted,
                                const struct mq_platform *actual,
                                const char *name, struct mq_error *error)
{
    const char *cpu = cpu_name(wanted->cpu), *own_cpu = cpu_name(actual->cpu);

    if (differ(wanted->pointer_size, actual->pointer_size))
        return mq_fail(error, "it is for %u-bit programs and %s is a %u-bit "
                       "one", wanted->pointer_size * 8, name,
                       actual->pointer_size * 8);
    if (differ(wanted->byte_order, actual->byte_order))
        return mq_fail(error, "it is for %s machines and %s is %s",
                       order_name(wanted->byte_order), name,
                       order_name(actual->byte_order));
    if (differ(wanted->cpu, actual->cpu))
        return mq_fail(error, "it is for %s (ELF machine %u) and %s is for %s "
                       "(%u)", cpu ? cpu : "another processor", wanted->cpu,
                       name, own_cpu ? own_cpu : "another", actual->cpu);
    if (differ(wanted->os, actual->os))
        return mq_fail(error, "it is for another operating system (ELF OS/ABI "
                       "%u) than %s (%u)", wanted->os, name, actual->os);
    return mq_ok;
}

enum mq_result mq_platform_check_library(const char *file,
                                         struct mq_error *error)
{
    struct mq_platform tool = mq_platform_of_tool();
    struct mq_error why;
    struct header header;
    enum mq_result result = read_header(file, error, &header);

    if (result != mq_ok)
        return result;
    if (mq_platform_fits(&header.platform, &tool, "this program",
                         &why) != mq_ok)
        return mq_fail(error, "%s: it cannot be loaded: %s", file, why.text);
    if (header.type != ET_DYN)
        return mq_fail(error, "%s: it is an ELF file of type %u and no shared "
                       "library", file, header.type);
    return mq_ok;
}
