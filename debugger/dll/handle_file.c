/* handle_file.c - candidate handle DLLs of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/handle_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dll/trust.h"
#include "target/name.h"

/* The address of the list's entry INDEX. */
static enum mq_result find_entry(struct mq_target *target, size_t index,
                                 struct mq_error *error, uint64_t *entry)
{
    uint64_t address, list;
    enum mq_result result = mq_target_find_symbol(target,
                                                  "mpidbg_dll_locations", error,
                                                  &address);

    if (result == mq_ok)
        result = mq_target_read_pointer(target, address, error, &list);
    if (result != mq_ok)
        return result;
    *entry = list + index * (uint64_t)target->sizes.pointer_size;
    return list != 0 ? mq_ok : mq_absent;
}

enum mq_result mq_handle_file_named(struct mq_target *target, size_t index,
                                    struct mq_error *error, char **file)
{
    struct mq_error why;
    uint64_t entry, name_at = 0;
    char *name = NULL;
    enum mq_result result;

    if (!target->may_name_dll)
        return mq_absent;
    result = find_entry(target, index, error, &entry);
    if (result == mq_ok)
        result = mq_target_read_pointer(target, entry, error, &name_at);
    if (result == mq_ok && name_at == 0)
        return mq_absent;
    if (result == mq_ok)
        result = mq_name_read(target, name_at, MQ_PATH_LIMIT, error, &name);
    if (result != mq_ok)
        return result;
    result = mq_trust_named(name, target->pid, geteuid(), &why, file);
    if (result == mq_absent)
        result = mq_fail(error, "mpidbg_dll_locations[%zu] names %s, but there "
                         "is no such file", index, name);
    else if (result == mq_failed)
        result = mq_fail(error, "mpidbg_dll_locations[%zu] names %s, which is "
                         "not loaded: %s", index, name, why.text);
    free(name);
    return result;
}

enum mq_result mq_handle_file_beside(const char *queues,
                                     struct mq_error *error, char **file)
{
    static const char suffix[] = "_handles.so";
    char folder[PATH_MAX], name[PATH_MAX];
    struct mq_error why;
    const char *slash = strrchr(queues, '/');
    size_t length = strlen(queues);
    int used;

    if (length < 3 || strcmp(queues + length - 3, ".so") != 0
        || slash == NULL)
        return mq_absent;
    used = snprintf(name, sizeof name, "%.*s", (int)(slash - queues + 1),
                    queues);
    if (used < 0 || (size_t)used >= sizeof name
        || realpath(name, folder) == NULL)
        return mq_absent;
    used = snprintf(name, sizeof name, "%s/%.*s%s", folder,
                    (int)(length - 3 - (size_t)(slash + 1 - queues)),
                    slash + 1, suffix);
    if (used < 0 || (size_t)used >= sizeof name || access(name, R_OK) != 0)
        return mq_absent;
    if (mq_trust_file(name, geteuid(), &why, file) == mq_ok)
        return mq_ok;
    return mq_fail(error, "%s is not loaded: %s", name, why.text);
}
