/* source_processes.c - source: process ids, of one world or several
 *
 * The source that is processes of this host, by their ids.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <stdlib.h>
#include <unistd.h>

#include "find/discover.h"
#include "mqdump/launch/starter_dll.h"
#include "mqdump/sample/members.h"
#include "mqdump/sample/rights.h"
#include "mqdump/sample/source_live.h"
#include "mqdump/sample/subjects.h"

/* mq_absent if they are not known to be of several worlds. */
static enum mq_result show_worlds(const struct mq_subject *subjects,
                                  size_t count,
                                  const struct mq_read_options *how,
                                  struct mq_reading *reading,
                                  struct mq_error *error)
{
    struct mq_proctable table = { .count = 0 };
    int *pids = calloc(count, sizeof *pids);
    enum mq_result result;
    size_t i;

    if (pids == NULL)
        return mq_fail_memory(error, "for the processes");
    for (i = 0; i < count; i++)
        pids[i] = subjects[i].pid;
    result = mq_discover_worlds("/proc", pids, count, error, &table);
    free(pids);
    if (result != mq_ok)
        return result;
    result = mq_members_show(&table, how, reading, error);
    mq_proctable_deinit(&table);
    return result;
}

/* The processes that the user has named. */
struct named {
    const struct mq_subject *subjects;
    size_t count;
};

static bool has_named(const struct named *named, int64_t pid)
{
    for (size_t i = 0; i < named->count; i++)
        if (named->subjects[i].pid == pid
            && mq_pin_is_same_user(&named->subjects[i].pin,
                                   &named->subjects[0].pin))
            return true;
    return false;
}

/* A rank that is the starter, too, is asked what it names as a rank. */
static bool is_named(int starter, const struct mq_procdesc *entry,
                     void *context)
{
    return entry->place.is_local && has_named(context, entry->place.pid)
           && !has_named(context, starter);
}

/* The DLLs that the starter of the ranks names, unless the user names one: one
 * above the first of them, or one that lists any.
 */
static void find_offer(struct named *named, const struct mq_read_options *how,
                       struct mq_dll_offer *offer)
{
    const struct mq_pin *user = &named->subjects[0].pin;
    const struct mq_starter_dll_wish wish = { user, NULL, is_named, named };

    if (how->choice.asked != NULL || user->pid == 0)
        return;
    if (!mq_starter_dll_of_ancestor(user, offer))
        mq_starter_dll_search(&wish, how->choice.logger, offer);
}

enum mq_result mq_read_processes(char *const *values,
                                 const struct mq_read_options *how,
                                 struct mq_reading *reading,
                                 struct mq_error *error)
{
    struct mq_dll_offer offer = { .count = 0 };
    struct mq_read_options own = *how;
    struct mq_subject *subjects;
    enum mq_result result;
    size_t count;

    if (mq_subjects_of_processes(values, &reading->ranks, error, &subjects,
                                 &count) != mq_ok)
        return mq_failed;
    result = mq_rights_take_all(subjects, count, how, error);
    own.choice.user = geteuid();
    if (result == mq_ok)
        find_offer(&(struct named){ subjects, count }, &own, &offer);
    own.choice.starter = &offer;
    /* A user who gives ranks means one world. */
    if (result == mq_ok)
        result = reading->ranks.text != NULL ? mq_absent
                 : show_worlds(subjects, count, &own, reading, error);
    if (result == mq_absent)
        result = mq_live_read(subjects, count, &own, reading, error);
    mq_dll_offer_deinit(&offer);
    free(subjects);
    return result;
}
