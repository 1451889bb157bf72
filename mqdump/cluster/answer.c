/* answer.c - answers that a remote mqdump sends (mqnode format) */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "model/digest.h"
#include "mqdump/cluster/compact_digest.h"

enum {
    host_bytes = 1 << 25,       /* of an answer, for each host ... */
    most_bytes = 1 << 28,       /* ... and in all */
    host_processes = 1 << 14    /* in it, for each host */
};

static const char keyword[] = "mqnode 2 ";

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

/* Writes the lines after the first. */
static enum mq_result write_contents(const struct mq_answer_logger *log,
                                     const char *world,
                                     const struct mq_job *job, FILE *stream,
                                     struct mq_error *error)
{
    if (log->lines.failed)
        return mq_fail_memory(error, "for the answer of a node");
    fputs(mq_strbuf_text(&log->lines), stream);
    if (world[0] != '\0')
        fprintf(stream, "world %s\n", world);
    return mq_compact_digest_write(job, stream, error);
}

enum mq_result mq_answer_send(const struct mq_answer_logger *log,
                             const char *world, const struct mq_job *job,
                             FILE *stream, struct mq_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    enum mq_result result;

    if (memory == NULL)
        return mq_fail_memory(error, "for the answer of a node");
    result = write_contents(log, world, job, memory, error);
    if (fclose(memory) != 0 && result == mq_ok)
        result = mq_fail_memory(error, "for the answer of a node");
    if (result == mq_ok) {
        fprintf(stream, "\n%s%zu %016" PRIx64 "\n", keyword, length,
                mq_hash_bytes(MQ_HASH_BEGIN, text, length));
        fwrite(text, 1, length, stream);
    }
    free(text);
    return result;
}

/* ---- Reading ----------------------------------------------------------- */

/* The first line of an answer, at the beginning of a line of TEXT, or null. */
static char *find_answer(char *text)
{
    char *line = text;

    while (line != NULL && strncmp(line, keyword, sizeof keyword - 1) != 0) {
        line = strchr(line, '\n');
        if (line != NULL)
            line++;
    }
    return line;
}

/* Checks that what the first line at *AT promises has arrived in the bytes up
 * to END, moves *AT there, and ends it.
 */
static enum mq_result check(char **at, const char *end, const char *node,
                            struct mq_error *error)
{
    const char *word = *at + sizeof keyword - 1;
    uint64_t length = 0, wanted = 0;
    bool is_answer = mq_number_read(&word, UINT64_MAX, &length) == mq_number_ok
                    && *word++ == ' ' && strspn(word, "0123456789abcdef") == 16
                    && word[16] == '\n';
    char *contents = *at + strcspn(*at, "\n") + 1;

    for (int i = 0; is_answer && i < 16; i++)
        wanted = wanted << 4 | (unsigned)mq_hex_digit(word[i]);
    if (!is_answer)
        return mq_fail(error, "%s answers in a way that this version of mqdump "
                       "does not know", node);
    if (length > (size_t)(end - contents))
        return mq_fail(error, "%s answered only in part: %zu of %" PRIu64
                       " bytes", node, (size_t)(end - contents), length);
    if (mq_hash_bytes(MQ_HASH_BEGIN, contents, (size_t)length) != wanted)
        return mq_fail(error, "the answer of %s was damaged on its way", node);
    contents[length] = '\0';
    *at = contents;
    return mq_ok;
}

/* Takes a line before the digest. */
static enum mq_result take_line(char *line, const char *node,
                                struct mq_logger *logger,
                                struct mq_error *error,
                                struct mq_answer_summary *summary)
{
    char *text = strchr(line, ' ');

    if (text == NULL)
        return mq_fail(error, "%s answers with a line that means nothing",
                       node);
    *text++ = '\0';
    if (strcmp(line, "world") == 0) {
        snprintf(summary->world, sizeof summary->world, "%s", text);
        return mq_ok;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(line, kinds[i]) == 0) {
            mq_log(logger, (enum mq_log_level)i, "%s", text);
            summary->warnings += i == mq_warning;
            return mq_ok;
        }
    return mq_fail(error, "%s answers with a line '%s' that means nothing",
                   node, line);
}

size_t mq_answer_limit(size_t hosts)
{
    return hosts < most_bytes / host_bytes ? hosts * host_bytes : most_bytes;
}

/* A line of a process is short, and what is kept of it is not. */
static enum mq_result check_count(const char *digest, const char *node,
                                  size_t hosts, struct mq_error *error)
{
    static const char line[] = "\nprocess ";
    size_t count = 0;

    for (; (digest = strstr(digest, line)) != NULL; digest++)
        count++;
    if (count / host_processes <= hosts)
        return mq_ok;
    return mq_fail(error, "%s answers with %zu processes, and a host has at "
                   "most %d", node, count, host_processes);
}

static enum mq_result take_digest(char *text, const char *node, size_t hosts,
                                  struct mq_job *job, struct mq_error *error)
{
    char *digest = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&digest, &length);
    struct mq_error why;
    enum mq_result result;

    if (stream == NULL)
        return mq_fail_memory(error, "for the answer of a node");
    result = mq_compact_digest_expand(text, mq_answer_limit(hosts), stream,
                                      &why);
    if (result != mq_ok)
        mq_fail(error, "the answer of %s cannot be understood: %s", node,
                why.text);
    if (fclose(stream) != 0 && result == mq_ok)
        result = mq_fail_memory(error, "for the answer of a node");
    if (result == mq_ok)
        result = check_count(digest, node, hosts, error);
    stream = result == mq_ok ? fmemopen(digest, length, "r") : NULL;
    if (stream != NULL) {
        result = mq_digest_read_stream(node, stream, job, error);
        fclose(stream);
    } else if (result == mq_ok) {
        result = mq_fail_memory(error, "for the answer of a node");
    }
    free(digest);
    return result;
}

enum mq_result mq_answer_take(char *text, size_t length, const char *node,
                             size_t hosts, struct mq_logger *logger,
                             struct mq_job *job, struct mq_error *error,
                             struct mq_answer_summary *summary)
{
    char *at = find_answer(text), *end;

    memset(summary, 0, sizeof *summary);
    if (at == NULL)
        return mq_absent;
    if (check(&at, text + length, node, error) != mq_ok)
        return mq_failed;
    while (strncmp(at, "mqdigest ", 9) != 0) {
        end = strchr(at, '\n');
        if (end == NULL)
            return mq_fail(error, "the answer of %s has no digest", node);
        *end = '\0';
        if (take_line(at, node, logger, error, summary) != mq_ok)
            return mq_failed;
        at = end + 1;
    }
    return take_digest(at, node, hosts, job, error);
}
