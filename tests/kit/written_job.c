/* written_job.c - jobs that a test writes down, and what it says of them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/written_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/digest.h"

struct mq_job *written_job(const char *lines)
{
    struct mq_error error = { "" };
    struct mq_job *job = NULL;
    char text[8192];
    FILE *stream;

    snprintf(text, sizeof text, "mqdigest 9\nname here\nimage a.out\n%send\n",
             lines);
    stream = fmemopen(text, strlen(text), "r");
    if (stream == NULL || mq_job_create(&error, &job) != mq_ok
        || mq_digest_read_stream("job", stream, job, &error) != mq_ok) {
        printf("%s\n", error.text);
        exit(2);
    }
    fclose(stream);
    return job;
}

void say(struct answer *answer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->text + answer->used, sizeof answer->text - answer->used,
              format, arguments);
    va_end(arguments);
    answer->used = strlen(answer->text);
}

void say_ranks(struct answer *answer, const int *ranks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        say(answer, " %d", ranks[i]);
}

const char *written_answer(const char *lines, bool still,
                           void (*say_of)(const struct mq_analysis *,
                                          struct answer *))
{
    static struct answer answer;
    struct mq_error error = { "" };
    struct mq_job *job = written_job(lines);
    struct mq_analysis *a = NULL;

    memset(&answer, 0, sizeof answer);
    job->still = still;
    if (mq_analyse(job, &error, &a) == mq_ok)
        say_of(a, &answer);
    else
        say(&answer, "%s", error.text);
    mq_analysis_destroy(a);
    mq_job_destroy(job);
    return answer.text;
}
