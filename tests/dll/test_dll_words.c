/* test_dll_words.c - errors and messages of a DLL, as users see them
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dll/walk.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"

/* What the DLL answers. */
static struct {
    int status;
    const char *message, *sentence;
} say;

static char *error_string(int code)
{
    return (char *)(code == say.status ? say.sentence : "another error");
}

static int image_has_queues(mqs_image *image, char **message)
{
    (void)image;
    *message = (char *)say.message;
    return say.status;
}

static int next_operation(mqs_process *process, mqs_pending_operation *op)
{
    (void)process;
    (void)op;
    return say.status;
}

/* Our own DLL, with words of somebody else's. */
static struct mq_dll *dll;

static enum mq_result open_image(struct sim *sim, struct mq_error *error,
                                 char note[200])
{
    mqs_image *image = NULL;
    enum mq_result result = mq_dll_image_create(dll, sim_target(sim), error,
                                                &image);

    note[0] = '\0';
    if (result == mq_ok && mq_dll_image_note(image) != NULL)
        snprintf(note, 200, "%s", mq_dll_image_note(image));
    mq_dll_image_destroy(image);
    return result;
}

static const struct {
    const char *name;
    int status;
    const char *message, *sentence;
    int result;
    const char *words;
} cases[] = {
    { "the first code, with a sentence", 100, NULL, "no queues here", mq_absent,
      "no queues here" },
    { "the first code, without", 100, NULL, "", mq_absent, "" },
    { "the first code, with a message", 100, "%s is odd", "no queues here",
      mq_failed, "job is odd (no queues here)" },
    { "the second code", 101, NULL, "it is broken", mq_failed, "it is broken" },
    { "the second code, with a message", 101, "of %s", "it is broken",
      mq_failed, "of job (it is broken)" },
    { "a message that says the same", 101, "%s: it is broken", "it is broken",
      mq_failed, "job: it is broken" },
    { "a sentence that is null", 4711, "%s fails", NULL, mq_failed,
      "job fails" },
    { "no sentence and no message", 4711, NULL, NULL, mq_failed,
      "an error that the DLL does not explain" },
    { "no information", mqs_no_information, NULL, "never asked", mq_absent,
      "" },
    { "a message with a percent sign", mqs_ok, "100%% of %s", "", mq_ok,
      "100% of job" },
    { "two percent signs before a letter", mqs_ok, "%%s and %s", "", mq_ok,
      "%s and job" },
    { "one at the end", mqs_ok, "%s at 5%%", "", mq_ok, "job at 5%" },
    { "what printf would read from nowhere", mqs_ok, "%s %s %n %d", "", mq_ok,
      "job %s %n %d" },
    { "a name of some width", mqs_ok, "<%5s> %%", "", mq_ok, "<  job> %" },
    { "on its left", mqs_ok, "<%-5s>", "", mq_ok, "<job  >" },
    { "cut off", mqs_ok, "<%.2s>", "", mq_ok, "<jo>" },
    { "too wide", mqs_ok, "<%99999999s>", "", mq_ok, "<%99999999s>" },
    { "half a width", mqs_ok, "half %-5", "", mq_ok, "half %-5" },
    { "a lonely one", mqs_ok, "half %", "", mq_ok, "half %" }
};

static void test_images(void)
{
    struct mq_dll_entries before = dll->entries;
    struct scenario s;
    size_t i;

    dll->entries.image_has_queues = image_has_queues;
    dll->entries.dll_error_string = error_string;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_error error = { "" };
        char note[200];

        test("%s", cases[i].name);
        say.status = cases[i].status;
        say.message = cases[i].message;
        say.sentence = cases[i].sentence;
        scenario_create(&s, NULL, NULL, sim_contiguous);
        CHECK_INT(open_image(s.sim, &error, note), cases[i].result);
        CHECK_STRING(cases[i].result == mq_ok ? note : error.text,
                     cases[i].words);
        sim_destroy(s.sim);
    }
    dll->entries = before;
}

/* The remarks of a walk. */
static void test_queues(int status, const char *words)
{
    struct mq_dll_entries before = dll->entries;
    struct mq_error error = { "" };
    mqs_process *process = NULL;
    mqs_image *image = NULL;
    struct mq_job *job = NULL;
    struct scenario s;

    test("the code %d from a queue", status);
    say.status = status;
    say.sentence = words;
    scenario_create(&s, NULL, NULL, sim_contiguous);
    dll->entries.next_operation = next_operation;
    dll->entries.dll_error_string = error_string;
    if (CHECK_INT(mq_job_create(&error, &job), mq_ok)
        && CHECK_INT(mq_dll_image_create(dll, sim_target(s.sim), &error,
                                         &image), mq_ok)
        && CHECK_INT(mq_dll_process_create(image, sim_target(s.sim), &error,
                                           &process), mq_ok)
        && CHECK_INT(mq_dll_process_walk(process, job, &error), mq_ok)
        && CHECK(job->processes[0].remark_count > 0))
        CHECK_STRING(job->processes[0].remarks[0].text, words);
    mq_dll_process_destroy(process);
    mq_dll_image_destroy(image);
    mq_job_destroy(job);
    sim_destroy(s.sim);
    dll->entries = before;
}

int main(void)
{
    struct mq_error error;

    if (mq_dll_load(built("libtvmpich.so"), &error, &dll) != mq_ok) {
        printf("%s\n", error.text);
        return 2;
    }
    test_images();
    test_queues(100, "the queue is locked");
    test_queues(101, "the queue is torn");
    mq_dll_unload(dll);
    return tests_end();
}
