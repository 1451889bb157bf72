/* test_dll_choice.c - choice of the DLL: order, refusals and log
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "include/mpi2dd.h"

#include "dll/choice.h"
#include "mqcheck/simulation/scenario.h"
#include "target/platform.h"
#include "tests/kit/block.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct listener heard;
static const char *good;        /* a DLL that may be loaded */
static const char *refuses;     /* another one, which knows no image */
static const char *folder;      /* where the default DLL is */

/* A process that names no DLL. */
static struct sim *create(const struct sim_shape *shape)
{
    struct scenario scenario;

    scenario_create(&scenario, shape, NULL, sim_contiguous);
    sim_hide(scenario.sim, "MPIR_dll_name", NULL, true);
    sim_target(scenario.sim)->may_name_dll = true;
    return scenario.sim;
}

/* Gives the process TEXT as its char MPIR_dll_name[], or a null for nothing. */
static void set_dll_name(struct sim *sim, const char *text)
{
    sim_write(sim, sim_symbol(sim, "MPIR_dll_name"), text, strlen(text) + 1);
    sim_hide(sim, "MPIR_dll_name", NULL, false);
}

/* The same as a char *. */
static void set_dll_pointer(struct sim *sim, uint64_t pointer)
{
    struct block block;

    block_begin(&block, sim);
    block_pointer(&block, pointer);
    sim_write(sim, sim_symbol(sim, "MPIR_dll_name"), block.bytes,
              block.length);
    sim_hide(sim, "MPIR_dll_name", NULL, false);
}

/* The file that is chosen if the user asks for ASKED, in a static buffer, or
 * null and the sentence in ERROR.
 */
static const char *chosen(struct sim *sim, const char *asked,
                          struct mq_error *error)
{
    static char file[512];
    struct mq_dll_choice choice = {
        .asked = asked, .folder = folder, .user = geteuid(),
        .logger = &heard.logger
    };
    struct mq_dll *dll = NULL;

    listener_begin(&heard);
    error->text[0] = '\0';
    if (mq_dll_choose(&choice, sim_target(sim), error, &dll) != mq_ok)
        return NULL;
    snprintf(file, sizeof file, "%s", dll->file);
    mq_dll_unload(dll);
    return file;
}

/* Whether the default DLL is chosen, and TOLD is part of what is told. */
static void check_default(struct sim *sim, const char *told)
{
    struct mq_error error;
    char wanted[512];

    snprintf(wanted, sizeof wanted, "%s/libtvmpich.so", folder);
    CHECK_STRING(chosen(sim, NULL, &error), wanted);
    CHECK_CONTAINS(heard.text, told);
}

static void check_chosen(struct sim *sim, const char *file, const char *told)
{
    struct mq_error error;

    if (!CHECK_STRING(chosen(sim, NULL, &error), file))
        CHECK_STRING(heard.text, "");
    CHECK_CONTAINS(heard.text, told);
}

static void test_option(void)
{
    struct sim *sim = create(NULL);
    struct mq_error error;

    test("--dll");
    set_dll_name(sim, refuses);
    CHECK_STRING(chosen(sim, good, &error), good);
    CHECK_CONTAINS(heard.text, "- --dll names ");
    CHECK(strstr(heard.text, "MPIR_dll_name") == NULL);
    test("--dll with a file of no use");
    CHECK_STRING(chosen(sim, file_path("missing.so"), &error), NULL);
    CHECK_CONTAINS(error.text, "missing.so: No such file or directory");
    CHECK_STRING(heard.text, "- choosing the DLL for job\n");
    sim_destroy(sim);
}

static void test_open_mpi(void)
{
    struct sim *sim = create(NULL);
    const char *own = file_copy("libompi_dbg_msgq.so", good, 0, -1);
    struct mq_error error;
    char told[512];

    test("Open MPI's own DLL is passed over");
    set_dll_name(sim, own);
    snprintf(told, sizeof told, "- MPIR_dll_name names %s: skipped", own);
    check_default(sim, told);
    test("but not where the user names it");
    CHECK_STRING(chosen(sim, own, &error), own);
    sim_destroy(sim);
}

/* The two forms, on all shapes. */
static void test_dll_name(const struct sim_shape *shape)
{
    struct sim *sim = create(shape);

    test("%s: MPIR_dll_name as an array", shape->name);
    set_dll_name(sim, good);
    check_chosen(sim, good, "- MPIR_dll_name names /tmp/");
    test("%s: MPIR_dll_name as a pointer", shape->name);
    set_dll_pointer(sim, block_text(sim, good));
    check_chosen(sim, good, "- MPIR_dll_name (a char *) names /tmp/");
    test("%s: MPIR_dll_name as an empty array", shape->name);
    set_dll_name(sim, "");
    /* What follows an empty array is not its own. */
    sim_write(sim, sim_symbol(sim, "MPIR_dll_name"), "\0\0\0\0\0\0\0", 8);
    check_default(sim, "- MPIR_dll_name names no DLL\n");
    test("%s: MPIR_dll_name as a null pointer", shape->name);
    set_dll_pointer(sim, 0);
    check_default(sim, "- MPIR_dll_name names no DLL\n");
    test("%s: MPIR_dll_name as a pointer to nothing", shape->name);
    set_dll_pointer(sim, block_text(sim, ""));
    check_default(sim, "- MPIR_dll_name (a char *) names no DLL\n");
    test("%s: MPIR_dll_name that is not text", shape->name);
    set_dll_name(sim, "\001\002\003 no name");
    check_default(sim, "! MPIR_dll_name: the bytes at 0x");
    test("%s: MPIR_dll_name that cannot be read", shape->name);
    sim_unmap(sim, sim_symbol(sim, "MPIR_dll_name"), 1);
    check_default(sim, "! MPIR_dll_name: sim: ");
    sim_destroy(sim);
}

static uint64_t place_list(struct sim *sim, const char *const *names,
                           struct block *block)
{
    block_begin(block, sim);
    for (; *names != NULL; names++)
        block_pointer(block, block_text(sim, *names));
    block_pointer(block, 0);
    return block_place(block);
}

static void test_locations(const struct sim_shape *shape)
{
    const char *const names[] = { "/nowhere/x.so", good, refuses, NULL };
    const char *const none[] = { NULL };
    struct block block;
    struct sim *sim;
    int i;

    test("%s: mpimsgq_dll_locations", shape->name);
    sim = create(shape);
    block_pointer_symbol(sim, "mpimsgq_dll_locations",
                         place_list(sim, names, &block));
    check_chosen(sim, good, "! mpimsgq_dll_locations[0] names /nowhere/x.so, "
                 "but there is no such file: if it is elsewhere, give --dll "
                 "FILE\n- mpimsgq_dll_locations[1] names /tmp/");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations as an array", shape->name);
    sim = create(shape);
    place_list(sim, names, &block);
    block_symbol(&block, "mpimsgq_dll_locations");
    check_chosen(sim, good, "- mpimsgq_dll_locations[1] names /tmp/");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations with nothing in it", shape->name);
    sim = create(shape);
    block_pointer_symbol(sim, "mpimsgq_dll_locations",
                         place_list(sim, none, &block));
    check_default(sim, "- mpimsgq_dll_locations is empty\n");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations that is null", shape->name);
    sim = create(shape);
    block_pointer_symbol(sim, "mpimsgq_dll_locations", 0);
    check_default(sim, "- mpimsgq_dll_locations is empty\n");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations that is wild", shape->name);
    sim = create(shape);
    block_pointer_symbol(sim, "mpimsgq_dll_locations", sim_nowhere(sim));
    check_default(sim, "! mpimsgq_dll_locations: sim: ");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations without an end", shape->name);
    sim = create(shape);
    block_begin(&block, sim);
    for (i = 0; i < 3; i++)
        block_pointer(&block, block_text(sim, "/nowhere/x.so"));
    block_pointer_symbol(sim, "mpimsgq_dll_locations", block_place(&block));
    check_default(sim, "! mpimsgq_dll_locations[3]: sim: ");
    sim_destroy(sim);

    test("%s: mpimsgq_dll_locations of absurd length", shape->name);
    sim = create(shape);
    block_begin(&block, sim);
    for (i = 0; i < 200; i++)
        block_pointer(&block, block_text(sim, "/nowhere/x.so"));
    block_pointer_symbol(sim, "mpimsgq_dll_locations", block_place(&block));
    check_default(sim, "! mpimsgq_dll_locations has no end within 64 entries");
    sim_destroy(sim);
}

/* One entry of MPIR_dll_info, all of whose platforms are 0 by default. */
struct candidate {
    const char *name;
    uint32_t tool[4], target[4];
};

/* Puts the candidates, and the null after them unless OPEN, into SIM. */
static void set_table(struct sim *sim, const struct candidate *candidates,
                      size_t count, bool open)
{
    struct block block;
    size_t i;
    int j;

    block_begin(&block, sim);
    for (i = 0; i < count; i++) {
        block_pointer(&block, block_text(sim, candidates[i].name));
        for (j = 0; j < 8; j++)
            block_integer(&block, 4, j < 4 ? candidates[i].tool[j]
                                           : candidates[i].target[j - 4]);
    }
    if (!open)
        block_pointer(&block, 0);
    block_symbol(&block, "MPIR_dll_info");
}

static void test_table(const struct sim_shape *shape)
{
    const struct mq_platform tool = mq_platform_of_tool();
    const uint32_t order = shape->byte_order == mq_big_endian ? ELFDATA2MSB
                                                              : ELFDATA2LSB;
    const uint32_t size = (uint32_t)shape->sizes.pointer_size;
    const struct candidate candidates[] = {
        { refuses, { 3 - tool.byte_order, 0, 0, 0 }, { 0 } },
        { refuses, { 0, 12 - tool.pointer_size, 0, 0 }, { 0 } },
        { refuses, { 0, 0, ELFOSABI_FREEBSD, 0 }, { 0 } },
        { refuses, { 0, 0, 0, EM_MIPS }, { 0 } },
        { refuses, { 0 }, { 3 - order, 0, 0, 0 } },
        { refuses, { 0 }, { 0, 12 - size, 0, 0 } },
        { "/nowhere/x.so", { 0 }, { 0 } },
        { refuses, { 0 }, { order, size, 0, 0 } },
        { good, { tool.byte_order, tool.pointer_size, tool.os, tool.cpu },
          { order, size, 0, 0 } },
        { refuses, { 0 }, { 0 } }
    };
    static const char *const told[] = {
        "- MPIR_dll_info[0], /tmp/", "refuses.so, is skipped: it is for ",
        "machines and this program is ",
        "- MPIR_dll_info[1], /tmp/", "-bit programs and this program is a ",
        "- MPIR_dll_info[2], /tmp/", "it is for another operating system (ELF "
        "OS/ABI 9) than this program (3)\n",
        "- MPIR_dll_info[3], /tmp/", "it is for MIPS (ELF machine 8) and this "
        "program is for ",
        "- MPIR_dll_info[4], /tmp/", "machines and the process looked at is ",
        "- MPIR_dll_info[5], /tmp/", "-bit programs and the process looked at "
        "is a ",
        "! MPIR_dll_info[6] names /nowhere/x.so, but there is no such file",
        "- MPIR_dll_info[7] names /tmp/", "- MPIR_dll_info[7] does not know "
        "this image: ", "job was configured in another way",
        "- MPIR_dll_info[8] names /tmp/",
        "- MPIR_dll_info[8] says that it knows this image\n"
    };
    struct sim *sim = create(shape);
    const char *at;
    size_t i;

    test("%s: MPIR_dll_info", shape->name);
    set_table(sim, candidates, 10, false);
    check_chosen(sim, good, "");
    at = heard.text;
    for (i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (!CHECK_CONTAINS(at, told[i]))
            break;
        at = strstr(at, told[i]);
    }
    sim_destroy(sim);

    test("%s: MPIR_dll_info of which none knows the image", shape->name);
    sim = create(shape);
    set_table(sim, &candidates[7], 1, false);
    check_default(sim, "- MPIR_dll_info[0] does not know this image");
    sim_destroy(sim);

    test("%s: MPIR_dll_info without an end", shape->name);
    sim = create(shape);
    set_table(sim, &candidates[6], 1, true);
    /* What follows in the page reads as zeros: an end.  Then nothing does. */
    check_default(sim, "! MPIR_dll_info[0] names /nowhere");
    sim_unmap(sim, sim_symbol(sim, "MPIR_dll_info") + size + 32, 1);
    check_default(sim, "! MPIR_dll_info[1]: sim: ");
    sim_destroy(sim);

    test("%s: MPIR_dll_info with a wild name", shape->name);
    sim = create(shape);
    set_table(sim, &candidates[8], 1, false);
    {
        struct block block;

        block_begin(&block, sim);
        block_pointer(&block, sim_nowhere(sim));
        sim_write(sim, sim_symbol(sim, "MPIR_dll_info"), block.bytes,
                  block.length);
    }
    check_default(sim, "! MPIR_dll_info[0]: sim: ");
    sim_destroy(sim);
}

static void test_mpi2dd(const struct sim_shape *shape)
{
    struct sim *sim = create(shape);
    const bool wide = sizeof(void *) == 8;
    struct block block;
    struct mq_error error;
    uint64_t address;
    int i;

    test("%s: MPI2DD_info", shape->name);
    block_begin(&block, sim);
    block_bytes(&block, "MPI2\177\1\1\1", 8);
    block_integer(&block, 4, 0);
    block_integer(&block, 4, 0);
    block_pointer(&block, block_text(sim, wide ? "/nowhere/32.so" : good));
    block_pointer(&block, block_text(sim, wide ? good : "/nowhere/64.so"));
    for (i = 0; i < 6; i++)
        block_pointer(&block, 0);
    for (i = 0; i < 12; i++)
        block_integer(&block, 4, 0);
    address = block_symbol(&block, "MPI2DD_info");
    set_dll_name(sim, refuses);
    check_chosen(sim, good, wide ? "- MPI2DD_info.dll_name_64 names /tmp/"
                                 : "- MPI2DD_info.dll_name_32 names /tmp/");
    CHECK(strstr(heard.text, "MPIR_dll_name") == NULL);

    test("%s: MPI2DD_info of another version", shape->name);
    sim_write(sim, address + 5, "\2", 1);
    check_chosen(sim, refuses, "! MPI2DD_info of sim has version 2; only");
    sim_write(sim, address + 5, "\1", 1);

    test("%s: MPI2DD_MPIFLAG_IGNORE_QUEUE", shape->name);
    block_begin(&block, sim);
    block_integer(&block, 4, MPI2DD_MPIFLAG_IGNORE_QUEUE);
    sim_write(sim, address + 12, block.bytes, block.length);
    CHECK_STRING(chosen(sim, NULL, &error), NULL);
    CHECK_CONTAINS(error.text, "the MPI library of sim does not offer its "
                   "message queues to debuggers (MPI2DD_MPIFLAG_IGNORE_QUEUE)");
    CHECK_STRING(chosen(sim, good, &error), good);

    test("%s: MPI2DD_info without a DLL of this width", shape->name);
    block_begin(&block, sim);
    block_integer(&block, 4, 0);
    sim_write(sim, address + 12, block.bytes, block.length);
    block_begin(&block, sim);
    block_pointer(&block, 0);
    sim_write(sim, address + 16 +
              (wide ? (uint64_t)shape->sizes.pointer_size : 0),
              block.bytes, block.length);
    check_chosen(sim, refuses, wide
                 ? "- MPI2DD_info.dll_name_64 names no DLL\n"
                 : "- MPI2DD_info.dll_name_32 names no DLL\n");
    sim_destroy(sim);
}

/* A name that a target gives and that is not loaded: why, and what to do. */
static void check_refused(struct sim *sim, const char *name, const char *why,
                          bool is_untrusted)
{
    char told[1024];

    set_dll_name(sim, name);
    snprintf(told, sizeof told,
             is_untrusted ? "! MPIR_dll_name names %s, which is not loaded: %s"
                          : "! MPIR_dll_name names %s, %s", name, why);
    check_default(sim, told);
    if (!is_untrusted)
        return;
    snprintf(told, sizeof told, "; to use it anyway, give --dll %s\n",
             name);
    CHECK_CONTAINS(heard.text, told);
}

static void test_refusals(void)
{
    struct sim *sim = create(NULL);
    const char *file;

    test("a DLL that all may write");
    file = file_copy("all.so", good, 0, -1);
    chmod(file, 0666);
    check_refused(sim, file, "it is writable by everybody (mode 0666)", true);
    test("a DLL in a directory that all may write");
    file_make_folder("open", 0777);
    file = file_copy("open/x.so", good, 0, -1);
    check_refused(sim, file, "its directory /tmp/", true);
    test("a DLL of somebody else's");
    file = file_copy("other.so", good, 0, -1);
    if (geteuid() == 0 && CHECK_INT(chown(file, 65534, 65534), 0))
        check_refused(sim, file, "it belongs to user 65534", true);
    test("a DLL by a relative name");
    check_refused(sim, "build/libtvmpich.so", "it is not an absolute", true);
    test("a DLL by a symbolic link to one that all may write");
    CHECK_INT(symlink("all.so", file_path("all-link.so")), 0);
    check_refused(sim, file_path("all-link.so"), "it is writable by everybody",
                  true);
    test("a DLL of another word size");
    file = file_copy("size.so", good, EI_CLASS,
                     sizeof(void *) == 8 ? ELFCLASS32 : ELFCLASS64);
    check_refused(sim, file, "which is unusable: ", false);
    CHECK_CONTAINS(heard.text, "-bit programs and this program is a ");
    test("a DLL that is no ELF file");
    file = file_make("text.so", 0644, "text", 4);
    check_refused(sim, file, "which is unusable: ", false);
    CHECK_CONTAINS(heard.text, "it is not an ELF file");
    test("a DLL that does not exist");
    check_refused(sim, file_path("missing.so"), "but there is no such file: "
                  "if it is elsewhere, give --dll FILE\n", false);
    sim_destroy(sim);
}

/* As MPICH's own installation names it: libtvmpich.so leads to
 * libtvmpich.so.1.0, and MPIR_dll_name may be without a folder.
 */
static void test_names(void)
{
    struct sim *sim = create(NULL);
    struct mq_error error;
    char path[600];

    test("a DLL by a symbolic link");
    CHECK_INT(symlink("good.so", file_path("link.so")), 0);
    set_dll_name(sim, file_path("link.so"));
    check_chosen(sim, good, "/link.so: using it\n");

    test("a DLL by a bare name that is in no library path");
    unsetenv("LD_LIBRARY_PATH");
    check_refused(sim, "good.so", "but there is no such file in the library "
                  "path: if it is elsewhere, give --dll FILE\n", false);
    CHECK_STRING(chosen(sim, "good.so", &error), NULL);
    test("a DLL by a bare name on the library path");
    file_make_folder("path", 0755);
    file_copy("path/other.so", good, EI_CLASS, ELFCLASSNONE);
    file_copy("path/good.so", good, 0, -1);
    snprintf(path, sizeof path, "/nowhere:%s", file_path("path"));
    setenv("LD_LIBRARY_PATH", path, 1);
    set_dll_name(sim, "good.so");
    check_chosen(sim, file_path("path/good.so"),
                 "- MPIR_dll_name names good.so: using it\n");
    test("--dll with a bare name on the library path");
    set_dll_name(sim, "");
    CHECK_STRING(chosen(sim, "good.so", &error), file_path("path/good.so"));
    test("one of another machine is passed over");
    check_refused(sim, "other.so", "but there is no such file", false);
    test("one in a folder of the library path that all may write");
    chmod(file_path("path"), 0777);
    check_refused(sim, "good.so", "its directory /tmp/", true);
    test("which the user may name");
    CHECK_STRING(chosen(sim, "good.so", &error), file_path("path/good.so"));
    unsetenv("LD_LIBRARY_PATH");
    sim_destroy(sim);
}

static void test_snapshot(void)
{
    const char *const names[] = { good, NULL };
    const struct candidate candidate = { good, { 0 }, { 0 } };
    struct sim *sim = create(NULL);
    struct block block;

    test("names in a snapshot");
    set_dll_name(sim, good);
    block_pointer_symbol(sim, "mpimsgq_dll_locations",
                         place_list(sim, names, &block));
    set_table(sim, &candidate, 1, false);
    sim_target(sim)->may_name_dll = false;
    check_default(sim, "- MPIR_dll_name names /tmp/");
    CHECK_CONTAINS(heard.text, "good.so: a name that is not in a "
                   "running process is never loaded\n"
                   "- mpimsgq_dll_locations[0] names ");
    CHECK_CONTAINS(heard.text, "loaded\n- MPIR_dll_info[0] names ");
    sim_destroy(sim);
}

/* All steps that are taken when nothing is named, in order. */
static void test_story(void)
{
    struct sim *sim = create(NULL);
    char wanted[2048];

    test("the story of a process that names nothing");
    check_default(sim, "");
    snprintf(wanted, sizeof wanted,
             "- choosing the DLL for job\n"
             "- --dll: not given\n"
             "- MPI2DD_info: there is none\n"
             "- MPIR_dll_name: there is none\n"
             "- mpimsgq_dll_locations: there is none\n"
             "- MPIR_dll_info: there is none\n"
             "- default name libtvmpich.so: using %s/libtvmpich.so\n",
             folder);
    CHECK_STRING(heard.text, wanted);
    sim_destroy(sim);
}

/* What CHOSEN is with the offer of STARTER, called PROGRAM. */
static const char *chosen_by_starter(struct sim *sim, struct sim *starter,
                                     const char *program,
                                     struct mq_error *error)
{
    static char file[512];
    struct mq_dll_offer offer;
    struct mq_dll_choice choice = {
        .starter = &offer, .folder = folder, .user = geteuid(),
        .logger = &heard.logger
    };
    struct mq_dll *dll = NULL;

    sim_target(starter)->image = program;
    listener_begin(&heard);
    error->text[0] = file[0] = '\0';
    mq_dll_offer_read(sim_target(starter), NULL, &offer);
    if (mq_dll_choose(&choice, sim_target(sim), error, &dll) == mq_ok) {
        snprintf(file, sizeof file, "%s", dll->file);
        mq_dll_unload(dll);
    }
    mq_dll_offer_deinit(&offer);
    return file;
}

/* Adds an MPI2DD_info with FLAGS and the name of a DLL of any width. */
static void add_info(struct sim *sim, unsigned flags, const char *name)
{
    struct block block;
    int i;

    block_begin(&block, sim);
    block_bytes(&block, "MPI2\177\1\1\1", 8);
    block_integer(&block, 4, 0);
    block_integer(&block, 4, flags);
    block_pointer(&block, block_text(sim, name));
    block_pointer(&block, block_text(sim, name));
    for (i = 0; i < 6; i++)
        block_pointer(&block, 0);
    for (i = 0; i < 12; i++)
        block_integer(&block, 4, 0);
    block_symbol(&block, "MPI2DD_info");
}

static void test_starter_of_draft(const struct sim_shape *shape)
{
    struct sim *sim = create(shape), *starter = create(shape);
    struct sim *silent = create(shape);
    struct mq_error error;

    test("%s: the starter's MPI2DD_info", shape->name);
    add_info(starter, 0, good);
    CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error), good);
    CHECK_CONTAINS(heard.text, "- the launcher's MPI2DD_info.dll_name_");

    test("%s: the starter's MPI2DD_MPIFLAG_IGNORE_QUEUE", shape->name);
    add_info(silent, MPI2DD_MPIFLAG_IGNORE_QUEUE, good);
    CHECK_STRING(chosen_by_starter(sim, silent, "/bin/mpirun", &error), "");
    CHECK_CONTAINS(error.text, "the launcher of the job says that its message "
                   "queues are not to be shown (MPI2DD_MPIFLAG_IGNORE_QUEUE)");
    sim_destroy(sim);
    sim_destroy(starter);
    sim_destroy(silent);
}

static void test_starter(const struct sim_shape *shape)
{
    const char *const names[] = { refuses, good, NULL };
    struct sim *sim = create(shape), *starter = create(shape);
    struct block block;
    struct mq_error error;

    test("%s: the starter's mpimsgq_dll_locations", shape->name);
    block_pointer_symbol(starter, "mpimsgq_dll_locations",
                         place_list(starter, names, &block));
    CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error), good);
    CHECK_CONTAINS(heard.text, "- the launcher's mpimsgq_dll_locations[0] does "
                   "not know this image: ");
    CHECK_CONTAINS(heard.text, "- the launcher's mpimsgq_dll_locations[1] says "
                   "that it knows this process\n");

    test("%s: the launcher's MPIR_dll_name", shape->name);
    set_dll_name(starter, good);
    CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error), good);
    CHECK_CONTAINS(heard.text, "- the launcher's MPIR_dll_name names /tmp/");

    test("%s: the process's own name comes first", shape->name);
    set_dll_name(sim, refuses);
    CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error),
                 refuses);

    test("%s: the starter's MPIR_Ignore_queues", shape->name);
    sim_add_symbol(starter, "MPIR_Ignore_queues", "", 1);
    CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error), "");
    CHECK_STRING(error.text, "the launcher of the job says that its message "
                 "queues are not to be shown (MPIR_Ignore_queues); to look "
                 "anyway, give --dll FILE");
    sim_destroy(starter);

    test("%s: a process's MPIR_Ignore_queues", shape->name);
    sim_add_symbol(sim, "MPIR_Ignore_queues", "", 1);
    CHECK_STRING(chosen(sim, NULL, &error), NULL);
    CHECK_CONTAINS(error.text, "says that its message queues are not to be");
    CHECK_STRING(chosen(sim, good, &error), good);
    sim_destroy(sim);

    test("%s: a job of poe", shape->name);
    sim = create(shape);
    starter = create(shape);
    chosen_by_starter(sim, starter, "/usr/bin/poe", &error);
    CHECK_CONTAINS(heard.text, "default name libtvibmmpi.so: ");
    CHECK_CONTAINS(heard.text, "default name libtvmpich.so: ");
    CHECK(strstr(heard.text, "libxmpi") == NULL);
    sim_destroy(sim);
    sim_destroy(starter);
}

/* Nothing else is shown in the place of what a process names. */
static void test_disabled(void)
{
    static const struct {
        const char *name, *file, *complaint;
    } cases[] = {
        { "another version", "tests/dlls/other_version.so",
          "it was built for version 3 of the interface, and only version 2" },
        { "entry points that are missing", "tests/dlls/side_effect.so",
          "it lacks the entry point mqs_" }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim *sim = create(NULL), *starter = create(NULL);
        const char *file = file_copy(i == 0 ? "version.so" : "bare.so",
                                     built(cases[i].file), 0, -1);
        struct mq_error error;

        test("a named DLL of %s", cases[i].name);
        set_dll_name(sim, file);
        CHECK_STRING(chosen(sim, NULL, &error), NULL);
        CHECK_CONTAINS(error.text, "MPIR_dll_name names /tmp/");
        CHECK_CONTAINS(error.text, cases[i].complaint);
        CHECK_CONTAINS(error.text, "give --dll FILE");
        test("--dll in spite of a named DLL of %s", cases[i].name);
        CHECK_STRING(chosen(sim, good, &error), good);
        test("the starter's DLL of %s", cases[i].name);
        set_dll_name(sim, "");
        set_dll_name(starter, file);
        CHECK_STRING(chosen_by_starter(sim, starter, "/bin/mpirun", &error),
                     "");
        CHECK_CONTAINS(error.text, cases[i].complaint);
        sim_destroy(sim);
        sim_destroy(starter);
    }
}

static void test_default(void)
{
    struct sim *sim = create(NULL);
    struct mq_error error;

    test("no default DLL of any use");
    file_make_folder("empty", 0755);
    file_make("empty/libtvmpich.so", 0644, "text", 4);
    folder = file_path("empty");
    if (chosen(sim, NULL, &error) != NULL) {
        test_skip("the system has one: %s", strstr(heard.text, "default"));
    } else {
        CHECK_STRING(error.text, "no message-queue DLL was found for sim: name "
                     "one with --dll FILE");
        CHECK_CONTAINS(heard.text, "- default name libtvmpich.so: not in the "
                       "library path\n");
        CHECK(strstr(heard.text, "libtvibmmpi") == NULL);
    }
    CHECK_CONTAINS(heard.text, "! default name libtvmpich.so: /tmp/");
    CHECK_CONTAINS(heard.text, "it is not an ELF file");
    test("a default DLL in ../lib");
    file_make_folder("bin", 0755);
    file_make_folder("lib", 0755);
    file_copy("lib/libtvmpich.so", good, 0, -1);
    folder = file_path("bin");
    CHECK_CONTAINS(chosen(sim, NULL, &error), "/bin/../lib/libtvmpich.so");
    sim_destroy(sim);
}

int main(void)
{
    char own[512], good_path[512], refuses_path[512];
    size_t i;

    files_begin();
    snprintf(own, sizeof own, "%s", built("."));
    folder = own;
    snprintf(good_path, sizeof good_path, "%s",
             file_copy("good.so", built("libtvmpich.so"), 0, -1));
    good = good_path;
    snprintf(refuses_path, sizeof refuses_path, "%s",
             file_copy("refuses.so", built("tests/dlls/refuses.so"), 0, -1));
    refuses = refuses_path;
    test_default();
    folder = own;
    test_option();
    test_open_mpi();
    test_refusals();
    test_names();
    test_disabled();
    test_snapshot();
    test_story();
    for (i = 0; i < sim_shape_count; i++) {
        test_dll_name(&sim_shapes[i]);
        test_locations(&sim_shapes[i]);
        test_table(&sim_shapes[i]);
        test_starter(&sim_shapes[i]);
        test_starter_of_draft(&sim_shapes[i]);
        test_mpi2dd(&sim_shapes[i]);
    }
    files_end();
    return tests_end();
}
