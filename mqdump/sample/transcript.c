/* transcript.c - logger that keeps messages for later */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/transcript.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A line is the kind, as one digit, and the sentence.  It is written at once: a
 * writer may end without further ado.
 */
static void write_down(struct mq_logger *logger, enum mq_log_level kind,
                       const char *text)
{
    struct mq_transcript *transcript = (struct mq_transcript *)logger;

    fprintf(transcript->file, "%d%s\n", (int)kind, text);
    fflush(transcript->file);
}

enum mq_result mq_transcript_begin(struct mq_transcript *transcript,
                                   struct mq_error *error)
{
    transcript->logger.log = write_down;
    transcript->file = tmpfile();
    if (transcript->file != NULL)
        return mq_ok;
    return mq_fail(error, "cannot make a temporary file: %s", strerror(errno));
}

void mq_transcript_end(struct mq_transcript *transcript)
{
    if (transcript->file != NULL)
        fclose(transcript->file);
}

/* All of the text, or null. */
static char *read_all(FILE *file)
{
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = end >= 0 ? calloc((size_t)end + 1, 1) : NULL;

    rewind(file);
    if (text == NULL || fread(text, 1, (size_t)end, file) == (size_t)end)
        return text;
    free(text);
    return NULL;
}

void mq_transcript_replay(struct mq_transcript *transcript,
                          struct mq_logger *logger, struct mq_interned *logged)
{
    char *text = read_all(transcript->file), *line, *end;
    const void *copy;

    for (line = text; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        size_t before = logged->used;

        if (mq_intern(logged, line, (size_t)(end - line), NULL, &copy) != mq_ok
            || logged->used > before)
            mq_log(logger, (enum mq_log_level)(line[0] - '0'), "%.*s",
                   (int)(end - line - 1), line + 1);
    }
    free(text);
}
