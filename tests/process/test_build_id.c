/* test_build_id.c - build ids of files, missing and damaged ones too */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/elf.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#include "tests/kit/files.h"
#include "tests/kit/harness.h"

/* A file with one section of notes. */
struct file {
    ElfW(Ehdr) header;
    ElfW(Shdr) section;
    ElfW(Nhdr) first;           /* not of GNU's */
    char other[8];
    ElfW(Nhdr) note;
    char name[4];
    unsigned char id[20];
};

static struct file make_file(void)
{
    struct file file;

    memset(&file, 0, sizeof file);
    memcpy(file.header.e_ident, ELFMAG, SELFMAG);
    file.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64
                                                        : ELFCLASS32;
    file.header.e_shoff = offsetof(struct file, section);
    file.header.e_shentsize = sizeof file.section;
    file.header.e_shnum = 1;
    file.section.sh_type = SHT_NOTE;
    file.section.sh_offset = offsetof(struct file, first);
    file.section.sh_size = offsetof(struct file, id) + sizeof file.id
                           - offsetof(struct file, first);
    file.first.n_namesz = 3;
    file.first.n_descsz = 4;
    file.first.n_type = NT_GNU_BUILD_ID;
    memcpy(file.other, "abc", 3);
    file.note.n_namesz = 4;
    file.note.n_descsz = sizeof file.id;
    file.note.n_type = NT_GNU_BUILD_ID;
    memcpy(file.name, "GNU", 4);
    for (unsigned i = 0; i < sizeof file.id; i++)
        file.id[i] = (unsigned char)(0xf0 + i);
    return file;
}

/* The id that is read of LENGTH bytes of FILE, or what became of it. */
static const char *id_of(const struct file *file, size_t length)
{
    static char id[mq_build_id_room];
    static struct mq_error error;
    enum mq_result result;

    files_begin();
    file_make("it", 0644, file, length);
    result = mq_elf_build_id(file_path("it"), &error, id);
    files_end();
    return result == mq_ok ? id : result == mq_absent ? "absent" : error.text;
}

#define ID "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff00010203"

/* What is read of a file of which MEMBER is VALUE. */
#define CHECK_WITH(member, value, wanted) do { \
    struct file changed = make_file(); \
    changed.member = (value); \
    CHECK_STRING(id_of(&changed, sizeof changed), (wanted)); \
} while (0)

int main(void)
{
    struct file file = make_file();
    char id[mq_build_id_room];
    struct mq_error error;

    test("a build id");
    CHECK_STRING(id_of(&file, sizeof file), ID);
    test("a file that ends before it");
    for (size_t length = 0; length < sizeof file; length++)
        CHECK_STRING(id_of(&file, length), "absent");
    test("notes that are none");
    CHECK_WITH(note.n_type, 2, "absent");
    CHECK_WITH(note.n_namesz, 3, "absent");
    CHECK_WITH(note.n_namesz, 0xffffffff, "absent");
    CHECK_WITH(note.n_descsz, 0xffffffff, "absent");
    CHECK_WITH(note.n_descsz, 21, "absent");
    CHECK_WITH(note.n_descsz, 7, "absent");
    CHECK_WITH(note.n_descsz, 8, "f0f1f2f3f4f5f6f7");
    CHECK_WITH(first.n_namesz, 0xfffffffd, "absent");
    CHECK_WITH(name[0], 'g', "absent");
    test("sections that are none");
    CHECK_WITH(section.sh_type, SHT_PROGBITS, "absent");
    CHECK_WITH(section.sh_size, ~0U, "absent");
    CHECK_WITH(section.sh_offset, ~0U, "absent");
    CHECK_WITH(header.e_shoff, ~0U, "absent");
    CHECK_WITH(header.e_shnum, 0, "absent");
    CHECK_WITH(header.e_shentsize, 1, "absent");
    CHECK_WITH(header.e_ident[0], 0, "absent");
    test("no file");
    CHECK_INT(mq_elf_build_id("/no/file", &error, id), mq_failed);
    CHECK_CONTAINS(error.text, "/no/file cannot be read");
    return tests_end();
}
