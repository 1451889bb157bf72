/* Sources that are processes, core files and stubs behind gdb. */
#include "mqdump/source_live.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/interrupt.h"
#include "target/record.h"
#include "target/snapshot.h"
#include "mqdump/transcript.h"

enum {
    most_jobs = 64,             /* at a time */
    longest_rank = 1 << 30,
    patience_with_children = 10 /* seconds, once they shall end */
};

/* What became of a recording: from a child through shared memory. */
struct outcome {
    enum mq_result result;
    struct mq_error error;
    int rank;
    uint64_t requests;          /* to gdb */
    double seconds;             /* from the start of gdb to its end */
    char dll[4096];             /* that shows it */
};

struct recording {
    const char *name;           /* in messages */
    int number;                 /* a pid, or the place in the source */
    FILE *file;                 /* the text */
    struct mq_transcript told;  /* to a child, on its way */
    struct outcome *outcome;
    pid_t child;                /* that records, 0 if none does */
    int end;                    /* readable when it has ended */
};

/* ==== Recording ========================================================= */

/* Says what a user can do about a program of which too little is known. */
static enum mq_result explain(const struct mq_target *recorder,
                              struct mq_error *error)
{
    const char *missing = mq_record_missing_type(recorder);

    if (!mq_record_has_symbols(recorder) || missing == NULL)
        return mq_failed;
    if (!mq_record_has_types(recorder))
        return mq_fail(error, "%s: %s has no debug information of its MPI "
                       "library: the type '%s' is missing; name an object file "
                       "that describes it with --types OBJECT",
                       recorder->name, recorder->image, missing);
    return mq_fail(error, "%s: the type '%s' is missing in the debug "
                   "information of %s; name an object file that describes it "
                   "with --types OBJECT", recorder->name, missing,
                   recorder->image);
}

static bool has_error(const struct mq_process *process)
{
    size_t i;

    for (i = 0; i < process->remark_count; i++) {
        if (process->remarks[i].is_error)
            return true;
    }
    return false;
}

/* Walks RECORDER only for what that asks. */
static enum mq_result walk_once(struct mq_target *recorder,
                                struct mq_reader *reader,
                                struct outcome *outcome)
{
    const struct mq_process *process;

    if (mq_reader_walk(reader, recorder, &outcome->error) != mq_ok)
        return explain(recorder, &outcome->error);
    process = &reader->job->processes[0];
    outcome->rank = process->rank;
    if (process->communicator_count == 0 && !has_error(process))
        return mq_fail(&outcome->error, "%s: it has no communicators: it has "
                       "not reached MPI_Init, or has passed MPI_Finalize; try "
                       "again later", recorder->name);
    return mq_ok;
}

static enum mq_result record_with(struct mq_target *recorder, FILE *file,
                                  struct outcome *outcome)
{
    struct mq_reader reader = {0};
    enum mq_result result;

    reader.choice.asked = outcome->dll;
    if (mq_job_create(&outcome->error, &reader.job) != mq_ok)
        return mq_failed;
    result = walk_once(recorder, &reader, outcome);
    mq_reader_clear(&reader);
    mq_job_destroy(reader.job);
    if (result != mq_ok)
        return result;
    if (mq_record_write(recorder, outcome->rank, &outcome->error, file)
        != mq_ok)
        return mq_failed;
    if (fflush(file) != 0)
        return mq_fail(&outcome->error, "%s: cannot write its recording to a "
                       "temporary file: %s", recorder->name, strerror(errno));
    return mq_ok;
}

static enum mq_result choose_dll(const struct mq_dll_choice *choice,
                                 struct mq_target *target,
                                 struct outcome *outcome)
{
    struct mq_dll *dll;
    enum mq_result result = mq_dll_choose(choice, target, &outcome->error,
                                          &dll);

    if (result != mq_ok)
        return result;
    if ((size_t)snprintf(outcome->dll, sizeof outcome->dll, "%s", dll->file)
        >= sizeof outcome->dll)
        result = mq_fail(&outcome->error, "the path of the DLL is too long");
    mq_dll_unload(dll);
    return result;
}

/* Records TARGET; what broke its gdb, rather than what came of that, is the
 * error then.
 */
static enum mq_result record_target(struct mq_target *target,
                                    const struct mq_dll_choice *choice,
                                    FILE *file, struct outcome *outcome)
{
    struct mq_target *recorder = NULL;
    struct mq_error why;
    enum mq_result result = choose_dll(choice, target, outcome);

    if (result == mq_ok)
        result = mq_record_open(target, &outcome->error, &recorder);
    if (result == mq_ok) {
        result = record_with(recorder, file, outcome);
        mq_target_destroy(recorder);
    }
    if (mq_gdb_link_is_broken(mq_gdb_link_of(target), &why))
        result = mq_fail(&outcome->error, "%s: %s", target->name, why.text);
    outcome->requests = mq_gdb_link_requests(mq_gdb_link_of(target));
    return result;
}

enum mq_result mq_live_open(const struct mq_gdb_subject *subject,
                            const struct mq_reader *reader,
                            const volatile sig_atomic_t *stopper,
                            struct mq_error *error, struct mq_target **target)
{
    const struct mq_live_settings *settings = reader->live;
    struct mq_gdb_options options = {0};
    char *script = NULL;
    enum mq_result result = mq_gdb_find_script(reader->choice.folder, error,
                                               &script);

    if (result != mq_ok)
        return result;
    options.setup.program = settings->gdb;
    options.setup.script = script;
    options.setup.limit = settings->gdb_limit;
    options.setup.interrupted = stopper;
    options.types = settings->types;
    options.until = settings->until;
    result = mq_gdb_open(&options, subject, error, target);
    free(script);
    return result;
}

/* Stops the subject, records it and lets it go. */
static enum mq_result record_subject(const struct mq_gdb_subject *subject,
                                     const struct mq_reader *reader, FILE *file,
                                     struct outcome *outcome)
{
    struct mq_target *target;
    double begin = mq_now();
    enum mq_result result = mq_live_open(subject, reader, &mq_interrupted,
                                         &outcome->error, &target);

    if (result == mq_ok) {
        result = record_target(target, &reader->choice, file, outcome);
        mq_target_destroy(target);
        outcome->seconds = mq_now() - begin;
        if (result != mq_ok && subject->kind == mq_gdb_process
            && mq_gdb_has_ended(subject->pid))
            mq_fail(&outcome->error, "process %d ended while it was read",
                    subject->pid);
    }
    return result;
}

/* ==== Showing =========================================================== */

/* All of FILE in a new string. */
static enum mq_result read_back(FILE *file, const char *name,
                                struct mq_error *error, char **text,
                                size_t *length)
{
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes;

    if (end < 0)
        return mq_fail(error, "%s: cannot read its recording: %s", name,
                       strerror(errno));
    bytes = malloc((size_t)end + 1);
    if (bytes == NULL)
        return mq_fail_memory(error, "for a recording");
    rewind(file);
    if (fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        free(bytes);
        return mq_fail(error, "%s: cannot read its recording", name);
    }
    bytes[end] = '\0';
    *text = bytes;
    *length = (size_t)end;
    return mq_ok;
}

static enum mq_result write_file(const char *path, const char *text,
                                 size_t length, struct mq_error *error)
{
    FILE *file = fopen(path, "wbx");
    int number = errno;
    bool failed;

    if (file == NULL && number == EEXIST)
        return mq_fail(error, "%s exists already: record to another folder",
                       path);
    if (file == NULL)
        return mq_fail(error, "cannot make %s: %s", path, strerror(number));
    failed = fwrite(text, 1, length, file) != length;
    number = errno;
    if (fclose(file) != 0 && !failed) {
        failed = true;
        number = errno;
    }
    if (!failed)
        return mq_ok;
    unlink(path);
    return mq_fail(error, "cannot write %s: %s", path, strerror(number));
}

/* Keeps a recording in FOLDER, named so that names sort as ranks do. */
static enum mq_result keep(const struct recording *recording,
                           const char *folder, const char *text, size_t length,
                           struct mq_error *error)
{
    char path[4096];
    int rank = recording->outcome->rank;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return mq_fail(error, "cannot make the folder %s: %s", folder,
                       strerror(errno));
    if (rank >= 0)
        snprintf(path, sizeof path, "%s/rank-%05d.mqsnap", folder, rank);
    else
        snprintf(path, sizeof path, "%s/unknown-%05d.mqsnap", folder,
                 recording->number);
    return write_file(path, text, length, error);
}

static enum mq_result replay(const struct recording *recording,
                             const char *text, size_t length,
                             struct mq_reader *reader, struct mq_error *error)
{
    struct mq_dll_choice choice = reader->choice;
    struct mq_target *target;
    enum mq_result result = mq_snapshot_parse(recording->name, text, length,
                                              error, &target);

    if (result != mq_ok)
        return result;
    reader->choice.asked = recording->outcome->dll;
    reader->choice.teller = NULL;           /* the story was told */
    result = mq_reader_walk(reader, target, error);
    reader->choice = choice;
    mq_target_destroy(target);
    return result;
}

/* Shows what was recorded, and keeps it if it shall be kept. */
static enum mq_result show(const struct recording *recording,
                           struct mq_reader *reader, struct mq_error *error)
{
    const struct outcome *outcome = recording->outcome;
    const char *folder = reader->live->record;
    char *text = NULL;
    size_t length = 0;
    enum mq_result result = outcome->result;

    if (result != mq_ok) {
        *error = outcome->error;
        return result;
    }
    result = read_back(recording->file, recording->name, error, &text,
                       &length);
    if (result == mq_ok && folder != NULL)
        result = keep(recording, folder, text, length, error);
    if (result == mq_ok)
        result = replay(recording, text, length, reader, error);
    free(text);
    if (reader->stats)
        fprintf(stderr, "%s: %" PRIu64 " requests to gdb in %.3f s\n",
                recording->name, outcome->requests, outcome->seconds);
    return result;
}

enum mq_result mq_live_show(struct mq_target *target, struct mq_reader *reader,
                            struct mq_error *error)
{
    struct outcome outcome = {0};
    struct recording recording = {
        .name = target->name, .number = (int)reader->named, .file = tmpfile(),
        .outcome = &outcome, .end = -1
    };
    double begin = mq_now();
    enum mq_result result;

    if (recording.file == NULL)
        return mq_fail(error, "cannot make a temporary file: %s",
                       strerror(errno));
    outcome.result = record_target(target, &reader->choice, recording.file,
                                   &outcome);
    outcome.seconds = mq_now() - begin;
    result = show(&recording, reader, error);
    fclose(recording.file);
    return result;
}

/* ==== Children ========================================================== */

/* In a child: records and ends. */
static void record_in_child(const struct mq_gdb_subject *subject,
                            const struct mq_reader *reader,
                            struct recording *recording, pid_t parent)
{
    struct outcome *outcome = recording->outcome;
    struct mq_reader own = *reader;

    own.choice.teller = &recording->told.teller;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    outcome->result = record_subject(subject, &own, recording->file,
                                     outcome);
    _exit(0);
}

/* Makes what parent and child share. */
static enum mq_result prepare(struct recording *recording, int ends[2],
                              struct mq_error *error)
{
    void *shared;

    recording->file = tmpfile();
    if (recording->file == NULL)
        return mq_fail(error, "cannot make a temporary file: %s",
                       strerror(errno));
    if (mq_transcript_begin(&recording->told, error) != mq_ok)
        return mq_failed;
    shared = mmap(NULL, sizeof *recording->outcome, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return mq_fail_memory(error, "for a process");
    recording->outcome = shared;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return mq_fail(error, "cannot make a pipe: %s", strerror(errno));
    return mq_ok;
}

static enum mq_result start(const struct mq_gdb_subject *subject,
                            const struct mq_reader *reader,
                            struct recording *recording, struct mq_error *error)
{
    pid_t parent = getpid();
    int ends[2];

    if (prepare(recording, ends, error) != mq_ok)
        return mq_failed;
    recording->child = fork();
    if (recording->child == 0)
        record_in_child(subject, reader, recording, parent);
    close(ends[1]);
    recording->end = ends[0];
    if (recording->child > 0)
        return mq_ok;
    recording->child = 0;
    close(recording->end);
    return mq_fail(error, "cannot start a process: %s", strerror(errno));
}

/* Waits until one of COUNT recordings has ended, or MILLISECONDS. */
static struct recording *wait_for_one(struct recording *recordings,
                                      size_t count, int milliseconds)
{
    struct pollfd ends[most_jobs];
    struct recording *whose[most_jobs];
    nfds_t waiting = 0, i;
    size_t j;

    for (j = 0; j < count && waiting < most_jobs; j++) {
        if (recordings[j].child == 0)
            continue;
        ends[waiting].fd = recordings[j].end;
        ends[waiting].events = POLLIN;
        whose[waiting++] = &recordings[j];
    }
    if (poll(ends, waiting, milliseconds) <= 0)
        return NULL;
    for (i = 0; i < waiting; i++) {
        if (ends[i].revents != 0)
            return whose[i];
    }
    return NULL;
}

static void reap(struct recording *recording)
{
    struct outcome *outcome = recording->outcome;
    int status = 0;

    while (waitpid(recording->child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        outcome->result = mq_fail(&outcome->error, "%s: its reader was "
                                  "killed by signal %d (%s)%s%.300s",
                                  recording->name, WTERMSIG(status),
                                  strsignal(WTERMSIG(status)),
                                  outcome->dll[0] != '\0' ? " while it used "
                                  : "", outcome->dll);
    recording->child = 0;
    close(recording->end);
}

static void signal_all(const struct recording *recordings, size_t count,
                       int number)
{
    size_t i;

    for (i = 0; i < count; i++) {
        if (recordings[i].child != 0)
            kill(recordings[i].child, number);
    }
}

/* Has the children that still run end, and waits for them. */
static void end_all(struct recording *recordings, size_t count, size_t running)
{
    double deadline = mq_now() + patience_with_children;

    signal_all(recordings, count, SIGTERM);
    while (running > 0) {
        struct recording *ended = wait_for_one(recordings, count, 100);

        if (ended != NULL) {
            reap(ended);
            running--;
        } else if (mq_now() > deadline) {
            signal_all(recordings, count, SIGKILL);
        }
    }
}

static void tell_progress(size_t done, size_t count)
{
    if (!isatty(STDERR_FILENO) || count < 2)
        return;
    if (done < count)
        fprintf(stderr, "\rmqdump: %zu of %zu processes read", done, count);
    else
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

static size_t job_limit(const struct mq_live_settings *settings)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long jobs = settings->jobs > 0 ? settings->jobs : processors;

    return jobs < 1 ? 1 : jobs > most_jobs ? most_jobs : (size_t)jobs;
}

/* Records all subjects, some at a time. */
static enum mq_result record_all(const struct mq_gdb_subject *subjects,
                                 struct recording *recordings, size_t count,
                                 const struct mq_reader *reader,
                                 struct mq_error *error)
{
    size_t next = 0, running = 0, limit = job_limit(reader->live);
    enum mq_result result = mq_ok;

    while (!mq_interrupted && result == mq_ok &&
           (running > 0 || next < count)) {
        struct recording *ended = NULL;

        if (next < count && running < limit) {
            tell_progress(next - running, count);
            result = start(&subjects[next], reader, &recordings[next], error);
            running += result == mq_ok;
            next++;
            continue;
        }
        ended = wait_for_one(recordings, next, 1000);
        if (ended == NULL)
            continue;
        reap(ended);
        running--;
        tell_progress(next - running, count);
    }
    tell_progress(count, count);
    end_all(recordings, next, running);
    return result;
}

/* ==== Subjects ========================================================== */

static int compare_ranks(const void *a, const void *b)
{
    const struct recording *x = a, *y = b;
    int first = x->outcome->rank, second = y->outcome->rank;

    if ((first < 0) != (second < 0))
        return first < 0 ? 1 : -1;
    if (first == second) {
        first = x->number;
        second = y->number;
    }
    return first < second ? -1 : first > second;
}

static void show_all(struct recording *recordings, size_t count,
                     struct mq_reader *reader)
{
    struct mq_error error;
    char *last = NULL;
    size_t i;

    qsort(recordings, count, sizeof *recordings, compare_ranks);
    for (i = 0; i < count; i++) {
        mq_transcript_tell(&recordings[i].told, reader->choice.teller, &last);
        if (show(&recordings[i], reader, &error) != mq_ok)
            mq_reader_complain(reader, &error);
    }
    free(last);
}

static void forget(struct recording *recording)
{
    mq_transcript_end(&recording->told);
    if (recording->file != NULL)
        fclose(recording->file);
    if (recording->outcome != NULL)
        munmap(recording->outcome, sizeof *recording->outcome);
}

enum mq_result mq_live_read(const struct mq_gdb_subject *subjects, size_t count,
                            struct mq_reader *reader, struct mq_error *error)
{
    struct recording *recordings = calloc(count, sizeof *recordings);
    char (*names)[64] = calloc(count, sizeof *names);
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result = recordings != NULL && names != NULL
        ? mq_ok : mq_fail_memory(error, "for the processes");
    size_t i;

    for (i = 0; result == mq_ok && i < count; i++) {
        bool has_pid = subjects[i].kind == mq_gdb_process;

        snprintf(names[i], sizeof *names, "process %d", subjects[i].pid);
        recordings[i].name = has_pid ? names[i] : subjects[i].place;
        recordings[i].number = has_pid ? subjects[i].pid : (int)i;
    }
    mq_interrupt_catch(before);
    if (result == mq_ok)
        result = record_all(subjects, recordings, count, reader, error);
    mq_interrupt_release(before);
    if (result == mq_ok)
        show_all(recordings, count, reader);
    for (i = 0; recordings != NULL && i < count; i++)
        forget(&recordings[i]);
    free(recordings);
    free(names);
    return result;
}

/* ==== Sources =========================================================== */

/* A decimal number up to LARGEST at the begin of *LIST, and what parts it from
 * the next.
 */
static bool take_number(const char **list, long largest, int *number)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(*list, &end, 10);
    if (!isdigit((unsigned char)**list) || errno != 0 || value > largest
        || (*end != '\0' && *end != ',') || (*end == ',' && end[1] == '\0'))
        return false;
    *list = *end == ',' ? end + 1 : end;
    *number = (int)value;
    return true;
}

/* The rank that the user gave the next process, or -1. */
static enum mq_result next_rank(struct mq_reader *reader,
                                struct mq_error *error, int *rank)
{
    const char *list = reader->live->ranks;
    size_t i;
    int number = -1;

    for (i = 0; list != NULL && *list != '\0' && i <= reader->named; i++) {
        if (!take_number(&list, longest_rank, &number))
            return mq_fail(error, "--rank %s: it takes comma-separated "
                           "numbers", reader->live->ranks);
    }
    *rank = i > reader->named ? number : -1;
    reader->named++;
    return mq_ok;
}

static enum mq_result read_one(struct mq_gdb_subject *subject,
                               struct mq_reader *reader, struct mq_error *error)
{
    if (next_rank(reader, error, &subject->rank) != mq_ok)
        return mq_failed;
    return mq_live_read(subject, 1, reader, error);
}

enum mq_result mq_read_core(char *const *values, struct mq_reader *reader,
                            struct mq_error *error)
{
    struct mq_gdb_subject subject = { mq_gdb_core, 0, values[0], values[1],
                                      -1 };

    return read_one(&subject, reader, error);
}

enum mq_result mq_read_remote(char *const *values, struct mq_reader *reader,
                              struct mq_error *error)
{
    struct mq_gdb_subject subject = { mq_gdb_remote, 0, values[1], values[0],
                                      -1 };

    return read_one(&subject, reader, error);
}

static enum mq_result take_pids(const char *list, struct mq_reader *reader,
                                struct mq_gdb_subject *subjects,
                                struct mq_error *error, size_t *count)
{
    const char *next = list;
    size_t found = 0;

    while (*next != '\0' || found == 0) {
        struct mq_gdb_subject *subject = &subjects[found++];

        subject->kind = mq_gdb_process;
        if (!take_number(&next, 1 << 30, &subject->pid) || subject->pid == 0)
            return mq_fail(error, "--pid %s: it takes comma-separated "
                           "numbers", list);
        if (next_rank(reader, error, &subject->rank) != mq_ok)
            return mq_failed;
    }
    *count = found;
    return mq_ok;
}

enum mq_result mq_read_processes(char *const *values, struct mq_reader *reader,
                                 struct mq_error *error)
{
    struct mq_gdb_subject *subjects = calloc(strlen(values[0]) / 2 + 1,
                                             sizeof *subjects);
    size_t count = 0;
    enum mq_result result;

    if (subjects == NULL)
        return mq_fail_memory(error, "for the processes");
    result = take_pids(values[0], reader, subjects, error, &count);
    if (result == mq_ok)
        result = mq_live_read(subjects, count, reader, error);
    free(subjects);
    return result;
}

static enum mq_result read_inferior(struct mq_gdb_link *link, int number,
                                    struct mq_reader *reader,
                                    struct mq_error *error)
{
    struct mq_target *target;
    int rank, result = next_rank(reader, error, &rank);

    if (result == mq_ok)
        result = mq_gdb_select(link, number, error, &target);
    if (result != mq_ok)
        return result;
    target->rank = rank;
    result = mq_live_show(target, reader, error);
    mq_target_destroy(target);
    return result;
}

static enum mq_result read_inferiors(struct mq_gdb_link *link,
                                     struct mq_reader *reader,
                                     struct mq_error *error)
{
    int *numbers;
    size_t i, count, current;

    if (mq_gdb_inferiors(link, error, &numbers, &count, &current) != mq_ok)
        return mq_failed;
    for (i = 0; i < count; i++) {
        if (!reader->live->all_inferiors && i != current)
            continue;
        if (read_inferior(link, numbers[i], reader, error) != mq_ok)
            mq_reader_complain(reader, error);
    }
    free(numbers);
    return count > 0 ? mq_ok
           : mq_fail(error, "gdb has no process: run or attach to one first");
}

enum mq_result mq_read_inferiors(char *const *values, struct mq_reader *reader,
                                 struct mq_error *error)
{
    const char *text = values[0];
    struct mq_gdb_link *link;
    int descriptor, result;

    if (!take_number(&text, 1 << 20, &descriptor) || *text != '\0')
        return mq_fail(error, "--gdb-socket %s: that is no descriptor",
                       values[0]);
    if (mq_gdb_link_adopt(descriptor, NULL, error, &link) != mq_ok)
        return mq_failed;
    result = read_inferiors(link, reader, error);
    mq_gdb_link_close(link);
    return result;
}
