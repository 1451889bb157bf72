/* file_lock.c - locks of files, and who can release them */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/file_lock.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/word.h"

enum { longest_line = 256 };

/* The next word, however many blanks are in front of it. */
static char *next_word(char **at)
{
    *at += strspn(*at, " \t");
    return mq_word_next(at);
}

static bool take_device(const char *word, struct mq_file_lock *lock)
{
    unsigned *numbers[] = { &lock->major, &lock->minor };

    for (int i = 0; i < 2; i++) {
        uint64_t value = 0;
        int digits = 0;

        for (; digits < 8 && mq_hex_digit(*word) >= 0; digits++)
            value = value << 4 | (uint64_t)mq_hex_digit(*word++);
        if (digits == 0 || *word++ != ':')
            return false;
        *numbers[i] = (unsigned)value;
    }
    return mq_number_read(&word, UINT64_MAX, &lock->inode) == mq_number_ok
           && *word == '\0';
}

static bool take_byte(const char *word, uint64_t *byte)
{
    if (strcmp(word, "EOF") == 0) {
        *byte = UINT64_MAX;
        return true;
    }
    return mq_number_read(&word, INT64_MAX, byte) == mq_number_ok
           && *word == '\0';
}

bool mq_file_lock_take(const char *words, struct mq_file_lock *result)
{
    static const char *const kinds[] = { "POSIX", "OFDLCK", "FLOCK" };
    struct mq_file_lock lock = { .process = -1 };
    char line[longest_line], *at = line;
    const char *word;

    if (snprintf(line, sizeof line, "%s", words) >= (int)sizeof line)
        return false;
    line[strcspn(line, "\n")] = '\0';
    word = next_word(&at);
    while (lock.kind < mq_file_lock_kinds
           && strcmp(word, kinds[lock.kind]) != 0)
        lock.kind++;
    next_word(&at);             /* ADVISORY: all are today */
    word = next_word(&at);
    lock.is_shared = strcmp(word, "READ") == 0;
    if (lock.kind == mq_file_lock_kinds
        || (!lock.is_shared && strcmp(word, "WRITE") != 0))
        return false;
    word = next_word(&at);
    if ((strcmp(word, "-1") != 0
         && !mq_number_is(word, 1, INT_MAX, &lock.process))
        || !take_device(next_word(&at), &lock)
        || !take_byte(next_word(&at), &lock.first)
        || !take_byte(next_word(&at), &lock.last) || lock.first > lock.last)
        return false;
    *result = lock;
    return true;
}

static bool has_lock(const char *folder, const char *descriptor,
                     const void *closure)
{
    const struct mq_file_lock *wanted = closure;
    char path[PATH_MAX], line[longest_line];
    struct mq_file_lock lock;
    bool has = false;
    FILE *file;

    snprintf(path, sizeof path, "%s/fdinfo/%s", folder, descriptor);
    file = fopen(path, "re");
    while (file != NULL && !has && fgets(line, sizeof line, file) != NULL) {
        const char *words = strncmp(line, "lock:\t", 6) == 0
                            ? strchr(line + 6, ':') : NULL;

        has = words != NULL && mq_file_lock_take(words + 1, &lock)
              && lock.kind == wanted->kind
              && lock.is_shared == wanted->is_shared
              && lock.process == wanted->process
              && lock.major == wanted->major && lock.minor == wanted->minor
              && lock.inode == wanted->inode && lock.first == wanted->first
              && lock.last == wanted->last;
    }
    if (file != NULL)
        fclose(file);
    return has;
}

static bool is_in_way(const struct mq_file_lock *held, int process,
                      const char *folder, const char *descriptor,
                      const struct mq_file_lock *wanted)
{
    bool is_own = held->kind == mq_lock_of_process
                  ? wanted->kind == mq_lock_of_process
                    && held->process == process
                  : held->kind == wanted->kind;

    return (held->kind == mq_lock_of_whole_file)
           == (wanted->kind == mq_lock_of_whole_file)
           && held->major == wanted->major && held->minor == wanted->minor
           && held->inode == wanted->inode
           && (!held->is_shared || !wanted->is_shared)
           && held->first <= wanted->last && wanted->first <= held->last
           && !(is_own && (held->kind == mq_lock_of_process
                           || has_lock(folder, descriptor, held)));
}

struct mq_openers mq_file_lock_holders(const char *proc, int process,
                                       int descriptor,
                                       const struct mq_file_lock *wanted)
{
    struct mq_openers holders = { 0, false, true };
    char folder[PATH_MAX], number[16], line[longest_line];
    struct mq_file_lock held;
    FILE *file;

    snprintf(folder, sizeof folder, "%s/%d", proc, process);
    snprintf(number, sizeof number, "%d", descriptor);
    snprintf(line, sizeof line, "%s/locks", proc);
    file = fopen(line, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *words = strchr(line, ':');

        if (words == NULL || !mq_file_lock_take(words + 1, &held)
            || !is_in_way(&held, process, folder, number, wanted))
            continue;
        holders.first = held.process;
        if (held.kind != mq_lock_of_process)
            holders = mq_openers_find(proc, 0, has_lock, &held);
        holders.is_incomplete &= holders.first != held.process;
        break;
    }
    if (file != NULL)
        fclose(file);
    return holders;
}
