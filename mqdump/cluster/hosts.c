/* hosts.c - lists of host names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    most_hosts = 1 << 17,
    longest_name = 255
};

static const char between[] = ", \n";

bool mq_host_is_name(const char *word)
{
    static const char marks[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789._-+:@";
    size_t length = strspn(word, marks);

    return word[0] != '-' && length > 0 && length <= longest_name
           && word[length] == '\0';
}

const char *mq_host_without_user(const char *name)
{
    const char *at = strchr(name, '@');

    return at != NULL ? at + 1 : name;
}

static enum mq_result add_name(struct mq_hosts *hosts, char *name,
                               struct mq_error *error)
{
    if (!mq_host_is_name(name))
        return mq_fail(error, "'%s' is not the name of a host", name);
    if (hosts->count == most_hosts)
        return mq_fail(error, "there are more than %d hosts", most_hosts);
    return mq_array_add(&hosts->names, sizeof hosts->names[0], &hosts->count,
                        &hosts->room, &name, "for the names of hosts", error);
}

static int compare_names(const void *a, const void *b)
{
    char *const *one = *(char *const *const *)a;
    char *const *other = *(char *const *const *)b;
    int order = strcmp(*one, *other);

    return order != 0 ? order : (one > other) - (one < other);
}

/* Leaves the first of each name. */
static enum mq_result drop_repeated(struct mq_hosts *hosts,
                                    struct mq_error *error)
{
    char ***sorted = calloc(hosts->count + 1, sizeof *sorted);
    size_t i, left = 0;

    if (sorted == NULL)
        return mq_fail_memory(error, "for the names of hosts");
    for (i = 0; i < hosts->count; i++)
        sorted[i] = &hosts->names[i];
    qsort(sorted, hosts->count, sizeof *sorted, compare_names);
    for (i = hosts->count; i-- > 1;)
        if (strcmp(*sorted[i], *sorted[i - 1]) == 0)
            *sorted[i] = NULL;
    free(sorted);
    for (i = 0; i < hosts->count; i++)
        if (hosts->names[i] != NULL)
            hosts->names[left++] = hosts->names[i];
    hosts->count = left;
    return mq_ok;
}

enum mq_result mq_hosts_parse(const char *text, struct mq_error *error,
                              struct mq_hosts *hosts)
{
    struct mq_hosts made = { .text = strdup(text) };
    enum mq_result result = mq_ok;
    char *rest = made.text, *name;

    if (made.text == NULL)
        return mq_fail_memory(error, "for the names of hosts");
    while (result == mq_ok && (name = strtok_r(rest, between, &rest)) != NULL)
        result = add_name(&made, name, error);
    if (result == mq_ok && made.count == 0)
        result = mq_fail(error, "no host is named");
    if (result == mq_ok)
        result = drop_repeated(&made, error);
    if (result == mq_ok)
        *hosts = made;
    else
        mq_hosts_deinit(&made);
    return result;
}

void mq_hosts_deinit(struct mq_hosts *hosts)
{
    free(hosts->names);
    free(hosts->text);
    memset(hosts, 0, sizeof *hosts);
}
