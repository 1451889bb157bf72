/* types.c - the types of Open MPI that its packages leave out, built and kept
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "dll/trust.h"
#include "mqdump/system/pipe_child.h"
#include "process/elf.h"
#include "target/rank_process.h"

enum {
    patience = 120,             /* seconds for a compiler */
    most_output = 1 << 20,      /* bytes */
    most_told = 300             /* of what a compiler says */
};

/* ---- The cache ---------------------------------------------------------- */

/* The object for the library with this build id. */
static enum mq_result name_object(const char *id, struct mq_error *error,
                                  char path[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *below = "";
    int length;

    if (cache == NULL || cache[0] != '/') {
        cache = getenv("HOME");
        below = "/.cache";
    }
    if (cache == NULL || cache[0] != '/')
        return mq_fail(error, "there is no place to keep the types: set "
                       "XDG_CACHE_HOME or HOME to an absolute path");
    length = snprintf(path, PATH_MAX, "%s%s/mqdump/openmpi-%s.o", cache, below,
                      id);
    return length < PATH_MAX ? mq_ok
           : mq_fail(error, "the path of the cache is too long");
}

/* Whether any objects may have been built. */
static bool has_cache(void)
{
    struct mq_error ignored;
    char path[PATH_MAX];

    if (name_object("", &ignored, path) != mq_ok)
        return false;
    *strrchr(path, '/') = '\0';
    return access(path, F_OK) == 0;
}

/* Makes the folders of FILE that are not there, for the user alone. */
static enum mq_result make_folders(const char *file, struct mq_error *error)
{
    char folder[PATH_MAX];
    const char *slash = file;

    while ((slash = strchr(slash + 1, '/')) != NULL) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return mq_fail(error, "cannot make the folder %s: %s", folder,
                           strerror(errno));
    }
    return mq_ok;
}

/* mq_absent if it is not there. */
static enum mq_result check_object(const char *object, struct mq_error *error,
                                   char path[PATH_MAX])
{
    char *trusted;
    enum mq_result result = mq_trust_file(object, geteuid(), error, &trusted);

    if (result != mq_ok)
        return result;
    if (snprintf(path, PATH_MAX, "%s", trusted) >= PATH_MAX)
        result = mq_fail(error, "its path is too long");
    free(trusted);
    return result;
}

/* The build id of the libmpi that process PID has. */
static enum mq_result read_loaded_id(int pid, struct mq_error *error,
                                     char id[mq_build_id_room])
{
    int library = mq_process_open_libmpi("/proc", pid);
    enum mq_result result;
    char name[64];

    if (library < 0)
        return mq_absent;
    snprintf(name, sizeof name, "/proc/self/fd/%d", library);
    result = mq_elf_build_id(name, error, id);
    close(library);
    return result;
}

/* The object that was built for the library of process PID. */
static enum mq_result find_object(int pid, struct mq_teller *teller,
                                  char path[PATH_MAX])
{
    char object[PATH_MAX], id[mq_build_id_room];
    struct mq_error error;
    enum mq_result result;

    if (!has_cache() || read_loaded_id(pid, &error, id) != mq_ok
        || name_object(id, &error, object) != mq_ok)
        return mq_absent;
    result = check_object(object, &error, path);
    if (result == mq_ok)
        mq_tell(teller, mq_story, "types of Open MPI are taken from %s", path);
    else if (result == mq_failed)
        mq_tell(teller, mq_story, "types are not taken from %s: %s", object,
                error.text);
    return result == mq_ok ? mq_ok : mq_absent;
}

const char *mq_types_for(const struct mq_gdb_subject *subject,
                         const char *asked, struct mq_teller *teller,
                         char path[PATH_MAX])
{
    if (asked != NULL || subject->kind != mq_gdb_process)
        return asked;
    return find_object(subject->pid, teller, path) == mq_ok ? path : NULL;
}

/* ---- Compilers ---------------------------------------------------------- */

/* The line of what a compiler SAID that has its first error, or the first. */
static const char *first_error(const char *said)
{
    const char *line = strstr(said, "error: ");

    if (line == NULL)
        return said;
    while (line > said && line[-1] != '\n')
        line--;
    return line;
}

static enum mq_result tell_failure(const char *name, const char *said,
                                   struct mq_error *error)
{
    const char *line = said != NULL ? first_error(said) : "";
    int length = (int)strcspn(line, "\n");

    return mq_fail(error, "%s failed: %.*s", name,
                   length < most_told ? length : most_told, line);
}

/* Runs WORDS: what it writes, a block of malloc, is OUTPUT unless that is null.
 */
static enum mq_result run(const char *const *words, struct mq_error *error,
                          char **output)
{
    struct mq_pipe_child child;
    enum mq_result result;

    if (mq_pipe_child_start((char *const *)words, error, &child) != mq_ok)
        return mq_failed;
    result = mq_pipe_child_wait(&child, mq_now() + patience, most_output,
                                error);
    if (result == mq_absent)
        result = mq_fail(error, "%s has not ended after %d seconds", words[0],
                         patience);
    if (result == mq_ok
        && (!WIFEXITED(child.status) || WEXITSTATUS(child.status) != 0))
        result = tell_failure(words[0], child.errors.text, error);
    if (result == mq_ok && output != NULL) {
        *output = strdup(child.output.text != NULL ? child.output.text : "");
        if (*output == NULL)
            result = mq_fail_memory(error, "running a compiler");
    }
    mq_pipe_child_end(&child);
    return result;
}

/* A compiler wrapper of Open MPI's. */
struct wrapper {
    const char *name;
    char libraries[PATH_MAX];           /* the folder of its libraries */
    char id[mq_build_id_room];          /* of its libmpi */
};

/* Asks the wrapper NAME what it links programs with. */
static enum mq_result ask_wrapper(const char *name, struct mq_error *error,
                                  struct wrapper *wrapper)
{
    const char *const words[] = { name, "--showme:libdirs", NULL };
    char library[PATH_MAX + 16], *folders = NULL;
    enum mq_result result = run(words, error, &folders);

    if (result != mq_ok)
        return result;
    wrapper->name = name;
    snprintf(wrapper->libraries, sizeof wrapper->libraries, "%.*s",
             (int)strcspn(folders, " \n"), folders);
    free(folders);
    snprintf(library, sizeof library, "%s/libmpi.so", wrapper->libraries);
    result = mq_elf_build_id(library, error, wrapper->id);
    return result != mq_absent ? result
           : mq_fail(error, "%s has no build id by which its types could be "
                     "found again; compile them and name them with --types",
                     library);
}

/* Compiles the source in FOLDER to OBJECT, which is there as a whole or not.
 * Headers that packages leave out are beside the source, and PMIx has a folder
 * of its own on Debian.
 */
static enum mq_result compile(const struct wrapper *wrapper,
                              const char *folder, const char *object,
                              struct mq_error *error)
{
    char source[PATH_MAX], made[PATH_MAX], pmix[PATH_MAX + 32];
    const char *const words[] = {
        wrapper->name, "-g", "-O0", "-c", "-o", made, "-idirafter", folder,
        "-idirafter", pmix, source, NULL
    };
    enum mq_result result;

    snprintf(pmix, sizeof pmix, "%s/../../pmix2/include", wrapper->libraries);
    if (snprintf(source, sizeof source, "%s/types.c", folder) >= PATH_MAX
        || snprintf(made, sizeof made, "%s.%ld", object, (long)getpid())
           >= PATH_MAX)
        return mq_fail(error, "the path of the types is too long");
    result = run(words, error, NULL);
    if (result == mq_ok
        && (chmod(made, 0600) != 0 || rename(made, object) != 0))
        result = mq_fail(error, "cannot make %s: %s", object, strerror(errno));
    if (result != mq_ok)
        unlink(made);
    return result;
}

/* ---- Making -------------------------------------------------------------- */

/* The folder with the source, beside the program or where it is installed. */
static enum mq_result find_source(const char *beside, struct mq_error *error,
                                  char folder[PATH_MAX])
{
    static const char *const places[] = {
        "openmpi", "../share/mqdump/openmpi"
    };
    char source[PATH_MAX];

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(folder, PATH_MAX, "%.2000s/%s", beside, places[i]);
        snprintf(source, sizeof source, "%.2100s/types.c", folder);
        if (access(source, R_OK) == 0)
            return mq_ok;
    }
    return mq_fail(error, "the source of the types, openmpi/types.c, is "
                   "neither in %s nor in %s/../share/mqdump", beside, beside);
}

/* The compiler wrapper of Open MPI. */
static enum mq_result find_wrapper(struct mq_error *error,
                                   struct wrapper *wrapper)
{
    struct mq_error first, second;

    if (ask_wrapper("mpicc.openmpi", &first, wrapper) != mq_ok
        && ask_wrapper("mpicc", &second, wrapper) != mq_ok)
        return mq_fail(error, "the types of Open MPI cannot be built: %s; %s",
                       first.text, second.text);
    return mq_ok;
}

enum mq_result mq_types_make(const char *folder, struct mq_teller *teller,
                             struct mq_error *error)
{
    char sources[PATH_MAX], object[PATH_MAX], path[PATH_MAX];
    struct wrapper wrapper;
    struct mq_error why;

    if (find_source(folder, error, sources) != mq_ok
        || find_wrapper(error, &wrapper) != mq_ok
        || name_object(wrapper.id, error, object) != mq_ok
        || make_folders(object, error) != mq_ok
        || compile(&wrapper, sources, object, error) != mq_ok)
        return mq_failed;
    if (check_object(object, &why, path) != mq_ok)
        return mq_fail(error, "types would not be taken from %s: %s", object,
                       why.text);
    mq_tell(teller, mq_notice, "the types of Open MPI are in %s", object);
    return mq_ok;
}
