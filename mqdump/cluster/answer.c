/* answer.c - messages of agents: state of a node's ranks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/digest.h"

enum {
    host_processes = 1 << 14,   /* of a node, at most */
    most_worlds = 1 << 12       /* bytes of their lines */
};

static const char *const kinds[] = {
    [mq_verbose] = "story",
    [mq_info] = "note",
    [mq_warning] = "warning"
};

/* ---- Writing ----------------------------------------------------------- */

static void note(struct mq_logger *logger, enum mq_log_level kind,
                 const char *text)
{
    struct mq_answer_logger *log = (struct mq_answer_logger *)logger;

    if (kind != mq_verbose || log->verbose)
        mq_strbuf_add(&log->lines, "%s %s\n", kinds[kind], text);
}

void mq_answer_logger_begin(struct mq_answer_logger *logger,
                            bool verbose)
{
    memset(logger, 0, sizeof *logger);
    logger->logger.log = note;
    logger->verbose = verbose;
}

void mq_answer_logger_end(struct mq_answer_logger *logger)
{
    mq_strbuf_deinit(&logger->lines);
}

void mq_answer_add_world(struct mq_strbuf *worlds, const char *name)
{
    struct mq_strbuf line = { 0 };

    mq_strbuf_add(&line, "world %.127s\n", name);
    if (worlds->length < most_worlds
        && strstr(mq_strbuf_text(worlds), mq_strbuf_text(&line)) == NULL)
        mq_strbuf_add(worlds, "%s", mq_strbuf_text(&line));
    mq_strbuf_deinit(&line);
}

enum mq_result mq_answer_write(const struct mq_answer_logger *log,
                               double began, const struct mq_strbuf *worlds,
                               const struct mq_job *job, FILE *stream,
                               struct mq_error *error)
{
    if (log->lines.failed)
        return mq_fail_memory(error, "for the answer of a node");
    fprintf(stream, "reading %.6f\n%s%s", fmax(began - 1e-6, 0),
            mq_strbuf_text(&log->lines), mq_strbuf_text(worlds));
    return mq_digest_write(job, stream, error);
}

/* ---- Reading ----------------------------------------------------------- */

static bool take_seconds(const char *word, double *seconds)
{
    char *end;

    *seconds = strtod(word, &end);
    return end > word && *end == '\0' && *seconds >= 0;
}

enum mq_result mq_answer_take(char *message, struct mq_error *error,
                              struct mq_answer *answer)
{
    static const char *const words[] = {
        [mq_answer_hello] = "hello ", [mq_answer_first] = "first",
        [mq_answer_idle] = "idle", [mq_answer_reading] = "reading "
    };
    struct mq_answer taken = { .kind = mq_answer_hello };
    char *end = strchr(message, '\n'), *rest, *blank;

    if (end != NULL)
        *end = '\0';
    while (taken.kind < mq_answer_reading
           && strncmp(message, words[taken.kind], strlen(words[taken.kind]))
              != 0)
        taken.kind++;
    rest = message + strnlen(message, strlen(words[taken.kind]));
    taken.version = rest;
    taken.step = "";
    if (taken.kind == mq_answer_hello && (blank = strchr(rest, ' ')) != NULL) {
        *blank = '\0';
        taken.step = blank + 1;
    }
    taken.rest = end != NULL ? end + 1 : message + strlen(message);
    if (strncmp(message, words[taken.kind], strlen(words[taken.kind])) != 0
        || (taken.kind == mq_answer_reading
            && !take_seconds(rest, &taken.began)))
        return mq_fail(error, "its message '%.40s' is not one that this"
                       " version of mqdump knows", message);
    *answer = taken;
    return mq_ok;
}

/* Takes a line before the digest. */
static enum mq_result take_line(char *line, const char *node,
                                struct mq_logger *logger,
                                struct mq_strbuf *worlds,
                                struct mq_error *error, size_t *warnings)
{
    char *text = strchr(line, ' ');

    if (text == NULL)
        return mq_fail(error, "%s answers with a line that means nothing",
                       node);
    *text++ = '\0';
    if (strcmp(line, "world") == 0) {
        mq_answer_add_world(worlds, text);
        return mq_ok;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(line, kinds[i]) == 0) {
            mq_log(logger, (enum mq_log_level)i, "%s", text);
            *warnings += i == mq_warning;
            return mq_ok;
        }
    return mq_fail(error, "%s answers with a line '%s' that means nothing",
                   node, line);
}

/* A line of a process is short, and what is kept of it is not. */
static enum mq_result check_count(const char *digest, const char *node,
                                  struct mq_error *error)
{
    static const char line[] = "\nprocess ";
    size_t count = 0;

    for (; (digest = strstr(digest, line)) != NULL; digest++)
        count++;
    if (count <= host_processes)
        return mq_ok;
    return mq_fail(error, "%s answers with %zu processes, and a host has at "
                   "most %d", node, count, host_processes);
}

static enum mq_result take_digest(char *digest, const char *node,
                                  struct mq_job *job, struct mq_error *error)
{
    FILE *stream;
    enum mq_result result = check_count(digest, node, error);

    if (result != mq_ok)
        return result;
    stream = fmemopen(digest, strlen(digest), "r");
    if (stream == NULL)
        return mq_fail_memory(error, "for the answer of a node");
    result = mq_digest_read_stream(node, stream, job, error);
    fclose(stream);
    return result;
}

enum mq_result mq_answer_read(char *rest, const char *node,
                              struct mq_logger *logger, struct mq_job *job,
                              struct mq_strbuf *worlds,
                              struct mq_error *error, size_t *warnings)
{
    *warnings = 0;
    while (strncmp(rest, "mqdigest ", 9) != 0) {
        char *end = strchr(rest, '\n');

        if (end == NULL)
            return mq_fail(error, "the answer of %s has no digest", node);
        *end = '\0';
        if (take_line(rest, node, logger, worlds, error, warnings) != mq_ok)
            return mq_failed;
        rest = end + 1;
    }
    return take_digest(rest, node, job, error);
}
