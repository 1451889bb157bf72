/* file_names.c - shortest unique names of a job's source files
 *
 * Files are sorted by their characters from the last one back: those that have
 * most in common with one are beside it.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/file_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static enum mq_result add(struct mq_file_names *names, const char *file,
                          struct mq_error *error)
{
    const struct mq_file_name it = { file, file };
    uint32_t *index;

    if (mq_map_add(&names->index, (struct mq_key){ (uintptr_t)file, 0 },
                   (uint32_t)names->count, error, &index) != mq_ok)
        return mq_failed;
    return *index < names->count ? mq_ok
           : mq_array_add(&names->all, sizeof it, &names->count, &names->room,
                          &it, "naming source files", error);
}

/* Most ranks have the frames of the one before them. */
static enum mq_result add_new(struct mq_file_names *names, const char *file,
                              const char *likely, struct mq_error *error)
{
    return file == NULL || file == likely ? mq_ok : add(names, file, error);
}

static const char *file_at(const struct mq_process *process, size_t thread,
                           size_t frame)
{
    return process != NULL && thread < process->thread_count
           && frame < process->threads[thread].frame_count
           ? process->threads[thread].frames[frame].file : NULL;
}

static enum mq_result add_all(struct mq_file_names *names,
                              const struct mq_process *process,
                              const struct mq_process *before,
                              struct mq_error *error)
{
    for (size_t t = 0; t < process->thread_count; t++)
        for (size_t i = 0; i < process->threads[t].frame_count; i++)
            if (!process->threads[t].frames[i].in_mpi
                && !mq_frame_is_standard(&process->threads[t].frames[i])
                && add_new(names, process->threads[t].frames[i].file,
                           file_at(before, t, i), error) != mq_ok)
                return mq_failed;
    for (size_t i = 0; i < process->epoch_count; i++)
        if (add_new(names, process->epochs[i].site.file, NULL, error) != mq_ok)
            return mq_failed;
    for (size_t i = 0; i < process->past_count; i++)
        if (add_new(names, process->past[i].site.file,
                    before != NULL && i < before->past_count
                    ? before->past[i].site.file : NULL, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

static int compare_ends(const void *left, const void *right)
{
    const char *l = (*(const struct mq_file_name *const *)left)->file;
    const char *r = (*(const struct mq_file_name *const *)right)->file;
    size_t i = strlen(l), k = strlen(r);

    while (i > 0 && k > 0 && l[i - 1] == r[k - 1])
        i--, k--;
    if (i == 0 || k == 0)
        return (i > 0) - (k > 0);
    return (unsigned char)l[i - 1] < (unsigned char)r[k - 1] ? -1 : 1;
}

/* How many characters two different files have in common at their ends. */
static size_t common_end(const char *left, const char *right)
{
    size_t l = strlen(left), r = strlen(right), count = 0;

    while (count < l && count < r
           && left[l - 1 - count] == right[r - 1 - count])
        count++;
    return count;
}

/* The part of FILE behind a slash that is the shortest of more characters than
 * COMMON, or all of it.
 */
static const char *end_of(const char *file, size_t common)
{
    size_t i = strlen(file) - common;

    if (i > 0)
        i--;
    while (i > 0 && file[i - 1] != '/')
        i--;
    return file + i;
}

static enum mq_result name_all(struct mq_file_names *names,
                               struct mq_error *error)
{
    struct mq_file_name **sorted = malloc((names->count + 1) * sizeof *sorted);

    if (sorted == NULL)
        return mq_fail_memory(error, "naming source files");
    for (size_t i = 0; i < names->count; i++)
        sorted[i] = &names->all[i];
    qsort(sorted, names->count, sizeof *sorted, compare_ends);
    /* One that is there twice has one name. */
    for (size_t i = 0, next; i < names->count; i = next) {
        const char *file = sorted[i]->file;
        size_t common = i > 0 ? common_end(sorted[i - 1]->file, file) : 0;
        size_t behind;

        for (next = i + 1;
             next < names->count && strcmp(sorted[next]->file, file) == 0;
             next++)
            continue;
        behind = next < names->count ? common_end(sorted[next]->file, file) : 0;
        for (size_t k = i; k < next; k++)
            sorted[k]->name = end_of(sorted[k]->file,
                                     common > behind ? common : behind);
    }
    free(sorted);
    return mq_ok;
}

enum mq_result mq_file_names_create(const struct mq_job *job,
                                    struct mq_error *error,
                                    struct mq_file_names *names)
{
    struct mq_file_names made = { 0 };
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < job->process_count && result == mq_ok; p++)
        result = add_all(&made, &job->processes[p],
                         p > 0 ? &job->processes[p - 1] : NULL, error);
    if (result == mq_ok)
        result = name_all(&made, error);
    if (result == mq_ok)
        *names = made;
    else
        mq_file_names_destroy(&made);
    return result;
}

void mq_file_names_destroy(struct mq_file_names *names)
{
    free(names->all);
    mq_map_deinit(&names->index);
    memset(names, 0, sizeof *names);
}

const char *mq_file_name(const struct mq_file_names *names, const char *file)
{
    const uint32_t *index =
        mq_map_find(&names->index, (struct mq_key){ (uintptr_t)file, 0 });

    return index != NULL ? names->all[*index].name : file;
}
