/* code.c - source locations of code addresses, from files alone */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interned.h"
#include "process/elf.h"
#include "process/regular.h"
#include "symbols/tail_calls.h"

struct file {
    const void *key;            /* its path and build id, interned */
    struct mq_module *module;   /* null: it is not here */
};

struct code {
    struct mq_code_reader reader;
    struct mq_modules *modules;
    struct mq_places *places;
    struct mq_mpi_functions functions;
    struct mq_interned keys;
    size_t file_count, file_room;
    struct file *files;
};

static struct mq_module *open_module(struct code *code,
                                     const struct mq_code_place *place)
{
    struct mq_module *module = NULL;
    char id[mq_build_id_room];
    struct mq_error ignored;
    int file;

    if (place->build_id == NULL
        || mq_elf_build_id(place->path, &ignored, id) != mq_ok
        || strcmp(id, place->build_id) != 0)
        return NULL;
    file = mq_regular_open(place->path);
    if (file < 0)
        return NULL;
    if (mq_modules_get(code->modules, file, place->path, &ignored, &module)
        != mq_ok)
        module = NULL;
    close(file);
    return module;
}

static enum mq_result find_module(struct code *code,
                                  const struct mq_code_place *place,
                                  struct mq_error *error,
                                  struct mq_module **module)
{
    const void *key;
    char *text;
    int length = asprintf(&text, "%s:%s", place->build_id != NULL
                          ? place->build_id : "", place->path);
    enum mq_result result;

    if (length < 0)
        return mq_fail_memory(error, "for the files of a process");
    result = mq_intern(&code->keys, text, (size_t)length + 1, error, &key);
    free(text);
    if (result != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < code->file_count; i++) {
        if (code->files[i].key == key) {
            *module = code->files[i].module;
            return mq_ok;
        }
    }
    if (mq_array_reserve(&code->files, sizeof *code->files,
                         code->file_count + 1, &code->file_room,
                         "for the files of a process", error) != mq_ok)
        return mq_failed;
    *module = open_module(code, place);
    code->files[code->file_count++] = (struct file){ key, *module };
    return mq_ok;
}

static enum mq_result find(struct mq_code_reader *reader,
                           const struct mq_code_place *place,
                           struct mq_error *error, struct mq_frame *frame)
{
    struct code *code = (struct code *)reader;
    struct mq_module *module = NULL;
    enum mq_result result = find_module(code, place, error, &module);

    return result != mq_ok ? result
           : module == NULL ? mq_absent
           : mq_call_site_find(code->places, module, &code->functions,
                               place->address, place->is_program, error,
                               frame);
}

enum mq_result mq_code_create(struct mq_error *error,
                              struct mq_code_reader **reader)
{
    struct code *code = calloc(1, sizeof *code);

    if (code == NULL)
        return mq_fail_memory(error, "for the files of a process");
    code->reader.find = find;
    if (mq_modules_create(error, &code->modules) != mq_ok
        || mq_places_create(error, &code->places) != mq_ok
        || mq_mpi_functions_read(&code->functions, error) != mq_ok) {
        mq_code_destroy(&code->reader);
        return mq_failed;
    }
    *reader = &code->reader;
    return mq_ok;
}

void mq_code_destroy(struct mq_code_reader *reader)
{
    struct code *code = (struct code *)reader;

    if (code == NULL)
        return;
    if (code->places != NULL)
        mq_places_destroy(code->places);
    mq_modules_destroy(code->modules);
    mq_mpi_functions_deinit(&code->functions);
    mq_interned_deinit(&code->keys);
    free(code->files);
    free(code);
}
