/* preload.c - preloading of libmqwatch into a launched job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "dll/library_path.h"
#include "process/elf.h"
#include "process/program.h"

/* How the file's own name begins, or that of a library it leads to, as the
 * shell has patterns.  Libraries of MPICH's common ABI are Intel MPI's and
 * MVAPICH's, too, and Cray's, which have a compiler's name and are started by
 * PALS.  MPICH 1.x, which has queues of its own, had libmpich.so.1.
 */
static const struct {
    const char *name, *mpi;
} signs[] = {
    { "libmpi.so.40*", "openmpi" },
    { "libmpi.so.20*", "openmpi" },
    { "libmpi_mpifh.so.*", "openmpi" },
    { "libopen-rte.so.*", "openmpi" },
    { "libopen-pal.so.*", "openmpi" },
    { "libprrte.so.*", "openmpi" },
    { "libmpich.so.12*", "mpich" },
    { "libmpichfort.so.12*", "mpich" },
    { "libmpi.so.12*", "mpich" },
    { "libmpifort.so.12*", "mpich" },
    { "libmpi_*.so.12*", "mpich" },
    { "libmpifort_*.so.12*", "mpich" },
    { "libpals.so.*", "mpich" },
    { "mpiexec.hydra*", "mpich" },
    { "libmpi_abi.so.1*", "abi" }
};

/* Open MPI 5's mpirun needs nothing of Open MPI. */
static const char *const starters[] = { "mpirun", "mpiexec", "prte" };

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

enum { most_libraries = 512, longest_folders = 1 << 16 };

/* Looks for the MPI of a file by its own name and those of the libraries that
 * it depends on, transitively, the nearest first.  A library is looked for in
 * the folders that any file names on the way there: more than the dynamic
 * linker would take, but that matters to few programs, and what is found is
 * read, not run.
 */
struct look {
    const char *name, *mpi;     /* null: it is not known yet */
    const char *file;           /* that is read */
    struct mq_strbuf folders;   /* each with a colon behind it */
    char *names[most_libraries];
    size_t count;
};

static void look_at_name(struct look *look, const char *name)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (fnmatch(signs[i].name, name, 0) == 0)
            look->mpi = signs[i].mpi;
    for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
        if (look->mpi == NULL && begins(look->name, starters[i])
            && begins(name, "libpmix.so."))
            look->mpi = "openmpi";
}

/* CLOSURE is a look, here and below. */
static void add_name(const char *name, void *closure)
{
    struct look *look = closure;

    for (size_t i = 0; i < look->count; i++)
        if (strcmp(look->names[i], name) == 0)
            return;
    if (look->mpi != NULL || look->count == most_libraries)
        return;
    look->names[look->count] = strdup(name);
    if (look->names[look->count] == NULL)
        return;
    look->count++;
    look_at_name(look, name);
}

/* $ORIGIN is the folder of the file that the list is in. */
static void add_folders(const char *list, void *closure)
{
    struct look *look = closure;
    int own = (int)(strrchr(look->file, '/') - look->file);

    while (*list != '\0' && look->folders.length < longest_folders) {
        size_t origin = begins(list, "$ORIGIN") ? strlen("$ORIGIN")
                        : begins(list, "${ORIGIN}") ? strlen("${ORIGIN}") : 0;

        if (origin > 0)
            mq_strbuf_add(&look->folders, "%.*s", own, look->file);
        else
            mq_strbuf_add(&look->folders, "%c", *list);
        list += origin > 0 ? origin : 1;
    }
    mq_strbuf_add(&look->folders, ":");
}

static enum mq_result read_file(struct look *look, const char *file)
{
    look->file = file;
    mq_elf_run_paths(file, add_folders, look, NULL);
    return mq_elf_needed(file, add_name, look, NULL);
}

static void read_library(struct look *look, const char *name)
{
    char *path = NULL;

    if (strchr(name, '/') != NULL)
        read_file(look, name);
    else if (mq_library_find(name, mq_strbuf_text(&look->folders), NULL, &path)
             == mq_ok)
        read_file(look, path);
    free(path);
}

/* mq_absent if FILE, a path with a slash, is no program for this machine. */
static enum mq_result look_at_libraries(struct look *look, const char *file)
{
    enum mq_result result = read_file(look, file);

    for (size_t i = 0; i < look->count && look->mpi == NULL; i++)
        read_library(look, look->names[i]);
    while (look->count > 0)
        free(look->names[--look->count]);
    mq_strbuf_deinit(&look->folders);
    return result;
}

/* How many scripts may start each other, and how much of one is read. */
enum { deepest = 3, longest_script = 1 << 16 };

/* As deep as DEEPEST. */
/* NOLINTBEGIN(misc-no-recursion) */
static const char *mpi_of_text(char *text, int depth);

/* That of the programs that it names, if FILE is a script. */
static const char *mpi_of_script(const char *file, int depth)
{
    FILE *stream = depth < deepest ? fopen(file, "re") : NULL;
    char *text = stream != NULL ? malloc(longest_script) : NULL;
    const char *mpi = NULL;
    size_t length = 0;

    if (text != NULL)
        length = fread(text, 1, longest_script - 1, stream);
    if (length > 2 && memcmp(text, "#!", 2) == 0) {
        text[length] = '\0';
        mpi = mpi_of_text(text + 2, depth + 1);
    }
    free(text);
    if (stream != NULL)
        fclose(stream);
    return mpi;
}

/* The MPI that FILE is of, or null. */
static const char *mpi_of(const char *file, int depth)
{
    struct look look = { .name = strrchr(file, '/') + 1 };

    look_at_name(&look, look.name);
    if (look.mpi == NULL && look_at_libraries(&look, file) == mq_absent)
        look.mpi = mpi_of_script(file, depth);
    return look.mpi;
}

/* That of the last of its words that shows one: programs come after starters.
 */
static const char *mpi_of_text(char *text, int depth)
{
    static const char between[] = " \t\n\"'();&|=<>`";
    const char *mpi = NULL;
    char *rest = NULL;

    for (char *word = strtok_r(text, between, &rest); word != NULL;
         word = strtok_r(NULL, between, &rest)) {
        char *file = mq_find_program(word);
        const char *its = file != NULL ? mpi_of(file, depth) : NULL;

        if (its != NULL)
            mpi = its;
        free(file);
    }
    return mpi;
}
/* NOLINTEND(misc-no-recursion) */

/* The same of a command, each of whose words may be a line for a shell. */
static const char *mpi_of_command(char *const *words)
{
    const char *mpi = NULL;

    for (; *words != NULL; words++) {
        char *file = mq_find_program(*words), *text = strdup(*words);
        const char *its = NULL;

        if (file != NULL)
            its = mpi_of(file, 0);
        else if (text != NULL)
            its = mpi_of_text(text, 0);
        if (its != NULL)
            mpi = its;
        free(file);
        free(text);
    }
    return mpi;
}

/* The library for MPI in the tree of FOLDER, for free(), or null. */
static char *find_library(const char *folder, const char *mpi)
{
    static const char *const places[] = { "", "../lib/", "../lib64/",
                                          "../lib/*/" };
    size_t i;

    for (i = 0; folder != NULL && i < sizeof places / sizeof places[0]; i++) {
        char *pattern = NULL, *found = NULL;
        glob_t files;

        if (asprintf(&pattern, "%s/%slibmqwatch-%s.so", folder, places[i],
                     mpi) < 0)
            return NULL;
        if (glob(pattern, 0, NULL, &files) == 0)
            found = realpath(files.gl_pathv[0], NULL);
        globfree(&files);
        free(pattern);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool is_preloaded(void)
{
    const char *already = getenv("LD_PRELOAD");

    return already != NULL && strstr(already, "libmqwatch") != NULL;
}

/* The library for the command WORDS, for free(), or null. */
static char *library_for(char *const *words, const char *folder,
                         struct mq_logger *logger)
{
    const char *mpi;
    char *library;

    if (is_preloaded()) {
        mq_log(logger, mq_verbose, "LD_PRELOAD has libmqwatch already");
        return NULL;
    }
    mpi = mpi_of_command(words);
    if (mpi == NULL) {
        mq_log(logger, mq_info, "nothing is preloaded: no word of the "
               "command is a program of Open MPI, MPICH or the standard's ABI "
               "(libmpi_abi.so.1)");
        return NULL;
    }
    library = find_library(folder, mpi);
    if (library == NULL)
        mq_log(logger, mq_info, "nothing is preloaded: libmqwatch-%s.so is "
               "not installed beside mqdump", mpi);
    else
        mq_log(logger, mq_verbose, "%s is preloaded into the job", library);
    return library;
}

/* Makes the folder NAME if it is not there: its path, for free(). */
static enum mq_result find_folder(const char *name, struct mq_error *error,
                                  char **path)
{
    struct stat status;
    char *found;

    if (mkdir(name, S_IRWXU) != 0 && errno != EEXIST)
        return mq_fail(error, "cannot make the folder %s for records: %s", name,
                       strerror(errno));
    if (stat(name, &status) == 0 && !S_ISDIR(status.st_mode))
        return mq_fail(error, "cannot keep records in %s: it is not a folder",
                       name);
    if (faccessat(AT_FDCWD, name, W_OK | X_OK, AT_EACCESS) != 0)
        return mq_fail(error, "cannot keep records in the folder %s: %s", name,
                       strerror(errno));
    found = realpath(name, NULL);
    if (found == NULL)
        return mq_fail(error, "cannot keep records in the folder %s: %s", name,
                       strerror(errno));
    *path = found;
    return mq_ok;
}

enum mq_result mq_preload_init(const struct mq_live_settings *live,
                               const char *folder, struct mq_logger *logger,
                               struct mq_error *error,
                               struct mq_preload *preload)
{
    struct mq_preload made = { NULL, NULL };

    made.library = library_for(live->command, folder, logger);
    if (live->keep != NULL && made.library == NULL && !is_preloaded())
        return mq_fail(error, "--keep %s: there would be no records, as "
                       "libmqwatch is not preloaded into this command",
                       live->keep);
    if (live->keep != NULL
        && find_folder(live->keep, error, &made.record) != mq_ok) {
        free(made.library);
        return mq_failed;
    }
    *preload = made;
    return mq_ok;
}

void mq_preload_deinit(struct mq_preload *preload)
{
    free(preload->library);
    free(preload->record);
}

/* MPI_Mprobe came after MPICH 1.x, the communicator with Open MPI. */
static const char *mpi_of_symbols(struct mq_target *target)
{
    uint64_t address;

    if (mq_target_find_symbol(target, "ompi_mpi_comm_world", NULL, &address)
        == mq_ok)
        return "openmpi";
    return mq_target_find_function(target, "MPI_Mprobe", NULL, &address)
           == mq_ok ? "mpich" : NULL;
}

/* The dependencies of a program are better evidence than installed files: below
 * the standard's ABI is an MPI, too.
 */
static const char *mpi_of_process(struct mq_target *target)
{
    const char *mpi = NULL;
    char file[32];

    snprintf(file, sizeof file, "/proc/%d/exe", target->pid);
    if (target->pid > 0)
        mpi = mpi_of(file, deepest);
    return mpi != NULL ? mpi : mpi_of_symbols(target);
}

char *mq_preload_for_process(struct mq_target *target, const char *folder)
{
    const char *mpi = mpi_of_process(target);
    char *library;

    if (mpi == NULL)
        return NULL;
    library = find_library(folder, mpi);
    if (library == NULL
        && asprintf(&library, "libmqwatch-%s.so", mpi) < 0)
        return NULL;
    return library;
}
