#include "mqdump/consult.h"

#include <stdlib.h>
#include <string.h>

#include "mqdump/doctor.h"
#include "mqdump/source_live.h"
#include "base/text.h"

struct round {
    const struct mq_settings *settings;
    const struct mq_dll_choice *choice;
    size_t patients;            /* so far */
    bool all_healthy;
};

/* Number N of a list between commas, or -1. */
static long number_of(const char *list, size_t n)
{
    char *end;
    long number;

    for (; list != NULL && n > 0; n--) {
        list = strchr(list, ',');
        list += list != NULL;
    }
    if (list == NULL || *list < '0' || *list > '9')
        return -1;
    number = strtol(list, &end, 10);
    return *end == ',' || *end == '\0' ? number : -1;
}

static void examine(struct round *r, struct mq_doctor_patient *patient)
{
    const struct mq_live_settings *live = &r->settings->live;

    patient->gdb = live->gdb;
    patient->types = live->types;
    patient->until = live->until;
    patient->subject.rank = (int)number_of(live->ranks, r->patients);
    if (r->patients++ > 0)
        putchar('\n');
    if (!mq_doctor_examine(patient, r->choice, mq_text_columns(stdout),
                           stdout))
        r->all_healthy = false;
}

static void examine_processes(struct round *r, const char *list)
{
    size_t count = 1;

    for (const char *c = list; *c != '\0'; c++)
        count += *c == ',';
    for (size_t i = 0; i < count; i++) {
        struct mq_doctor_patient patient;
        long pid = number_of(list, i);

        memset(&patient, 0, sizeof patient);
        patient.subject.kind = mq_gdb_process;
        patient.subject.pid = pid > 0 && pid <= 1 << 30 ? (int)pid : 0;
        examine(r, &patient);
    }
}

static enum mq_result examine_source(struct round *r,
                                     const struct mq_source *source)
{
    struct mq_doctor_patient patient;

    memset(&patient, 0, sizeof patient);
    if (source->read == mq_read_processes) {
        examine_processes(r, source->values[0]);
    } else if (source->read == mq_read_file) {
        if (mq_file_begins_with(source->values[0], "mqdigest"))
            return mq_failed;
        patient.snapshot = source->values[0];
        examine(r, &patient);
    } else if (source->read == mq_read_core) {
        patient.subject.kind = mq_gdb_core;
        patient.subject.program = source->values[0];
        patient.subject.place = source->values[1];
        examine(r, &patient);
    } else if (source->read == mq_read_remote) {
        patient.subject.kind = mq_gdb_remote;
        patient.subject.program = source->values[1];
        patient.subject.place = source->values[0];
        examine(r, &patient);
    } else {
        return mq_failed;
    }
    return mq_ok;
}

enum mq_exit mq_consult(const struct mq_settings *settings,
                        const struct mq_dll_choice *choice)
{
    struct round r = { settings, choice, 0, true };

    if (settings->sources.count == 0)
        return mq_output_fail("the doctor needs a patient: name a snapshot, or"
                              " --pid, --core or --remote");
    for (size_t i = 0; i < settings->sources.count; i++)
        if (examine_source(&r, &settings->sources.items[i]) != mq_ok)
            return mq_output_fail("the doctor examines a snapshot, or what"
                                  " --pid, --core or --remote names: in a"
                                  " digest there is nothing left to examine,"
                                  " and of a job name one process");
    return mq_output_finish(r.all_healthy ? mq_exit_shown
                                          : mq_exit_could_not);
}
