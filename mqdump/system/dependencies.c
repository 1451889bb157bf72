/* dependencies.c - libraries that a program depends on, transitively
 *
 * A library is looked for in the folders that any file names on the way there:
 * more than the dynamic linker would take, but that matters to few programs,
 * and what is found is read, not run.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/system/dependencies.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "dll/library_path.h"
#include "process/elf.h"

enum { most_libraries = 512, longest_folders = 1 << 16 };

struct walk {
    bool (*visit)(const char *name, void *closure);
    void *closure;
    bool is_over;
    const char *file;           /* that is read */
    struct mq_strbuf folders;   /* each with a colon behind it */
    char *names[most_libraries];
    size_t count;
};

/* CLOSURE is a walk, here and below. */
static void add_name(const char *name, void *closure)
{
    struct walk *walk = closure;

    for (size_t i = 0; i < walk->count; i++)
        if (strcmp(walk->names[i], name) == 0)
            return;
    if (walk->is_over || walk->count == most_libraries)
        return;
    walk->names[walk->count] = strdup(name);
    if (walk->names[walk->count] == NULL)
        return;
    walk->count++;
    walk->is_over = !walk->visit(name, walk->closure);
}

/* How many bytes of TEXT mean the folder of the file that it is in. */
static size_t origin_at(const char *text)
{
    static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return strlen(words[i]);
    return 0;
}

static void add_folders(const char *list, void *closure)
{
    struct walk *walk = closure;
    int own = (int)(strrchr(walk->file, '/') - walk->file);

    while (*list != '\0' && walk->folders.length < longest_folders) {
        size_t origin = origin_at(list);

        if (origin > 0)
            mq_strbuf_add(&walk->folders, "%.*s", own, walk->file);
        else
            mq_strbuf_add(&walk->folders, "%c", *list);
        list += origin > 0 ? origin : 1;
    }
    mq_strbuf_add(&walk->folders, ":");
}

static enum mq_result read_file(struct walk *walk, const char *file)
{
    walk->file = file;
    mq_elf_run_paths(file, add_folders, walk, NULL);
    return mq_elf_needed(file, add_name, walk, NULL);
}

static void read_library(struct walk *walk, const char *name)
{
    char *path = NULL;

    if (strchr(name, '/') != NULL)
        read_file(walk, name);
    else if (mq_library_find(name, mq_strbuf_text(&walk->folders), NULL, &path)
             == mq_ok)
        read_file(walk, path);
    free(path);
}

enum mq_result mq_dependencies_visit(const char *file,
                                     bool (*visit)(const char *name,
                                                   void *closure),
                                     void *closure)
{
    struct walk walk = { .visit = visit, .closure = closure };
    enum mq_result result = read_file(&walk, file);

    for (size_t i = 0; i < walk.count && !walk.is_over; i++)
        read_library(&walk, walk.names[i]);
    while (walk.count > 0)
        free(walk.names[--walk.count]);
    mq_strbuf_deinit(&walk.folders);
    return result;
}
