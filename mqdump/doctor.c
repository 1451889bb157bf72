/* doctor.c - diagnosis of unavailable queues
 *
 * Each link of the chain from the debugger to the queues, examined.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/doctor.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "dll/trust.h"
#include "dll/walk.h"
#include "find/acquire.h"
#include "find/discover.h"
#include "find/variables.h"
#include "include/mqwatch.h"
#include "model/job.h"
#include "mpi/call.h"
#include "mqdump/launch/preload.h"
#include "mqdump/launch/starter.h"
#include "mqdump/sample/members.h"
#include "mqdump/sample/recorder.h"
#include "mqdump/sample/rights.h"
#include "mqdump/sample/subjects.h"
#include "process/elf.h"
#include "process/mapped.h"
#include "process/regular.h"
#include "target/rank_process.h"
#include "target/snapshot.h"

/* Where the queues are to come from. */
struct patient {
    const char *snapshot;       /* an mqsnap file, or null: */
    const struct mq_subject *subject;
    const struct mq_live_settings *live;
};

enum health {
    healthy,
    weak,                       /* less is shown than there may be */
    broken,
    not_there                   /* no link of this patient's chain */
};

/* State of the examination. */
struct examination {
    struct mq_logger logger;    /* first: it keeps messages */
    const struct patient *patient;
    const struct mq_dll_choice *choice;
    struct mq_tools tools;
    struct mq_strbuf steps;      /* of the choice of the DLL, as logged */
    struct mq_target *target;
    struct mq_dll *dll;
    mqs_image *image;
    mqs_process *process;
    struct mq_job *job;

    struct mq_strbuf finding;    /* of the check at hand */
    const char *advice;         /* what to do, or null */
    bool is_watched;            /* libmqwatch keeps the queues */
};

static enum health say(struct examination *e, enum health health,
                       const char *finding, const char *advice)
{
    mq_strbuf_add(&e->finding, "%s", finding);
    e->advice = advice;
    return health;
}

static const struct mq_process *found(const struct examination *e)
{
    return &e->job->processes[0];
}

/* ---- As far as the process -------------------------------------------- */

/* By what the process is read. */
static enum health check_reader(struct examination *e)
{
    struct mq_error error = { "" };

    if (e->patient->snapshot != NULL)
        return not_there;
    if (mq_direct_check(&error) != mq_ok)
        return say(e, broken, error.text, NULL);
    mq_strbuf_add(&e->finding, "it is read by %s", mq_direct_library());
    return healthy;
}

static enum mq_result read_process(struct examination *e,
                                   struct mq_error *error)
{
    const struct mq_read_options how = {
        .choice = *e->choice, .live = e->patient->live
    };
    enum mq_result result;

    mq_tools_init(&e->tools, 1);
    result = mq_tools_open(&e->tools, e->patient->subject, &how, error,
                           &e->target);
    return result != mq_ok ? result : mq_target_examine(e->target, error);
}

static enum health check_process(struct examination *e)
{
    struct mq_error error = { "" };

    if (e->patient->snapshot != NULL) {
        if (mq_snapshot_open(e->patient->snapshot, &error, &e->target)
            != mq_ok)
            return say(e, broken, error.text, "record it again with --record"
                       " DIR, and copy it whole");
    } else if (read_process(e, &error) != mq_ok) {
        return say(e, broken, error.text, NULL);
    }
    mq_strbuf_add(&e->finding, "%s, of the program %s, can be read",
                 e->target->name, e->target->image);
    return healthy;
}

/* The names that the documents give a program for its debugger, and MPI's own:
 * a program without any of them has lost its symbols or is not of MPI.
 */
static enum health check_symbols(struct examination *e)
{
    static const char *const functions[] = { "MPIR_Breakpoint", "MPI_Init",
                                             "PMPI_Init" };
    static const char *const symbols[] = { "MPIR_dll_name",
                                           "MPIR_being_debugged" };
    struct mq_error error = { "" };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (mq_target_find_function(e->target, functions[i], &error,
                                    &(uint64_t){ 0 }) == mq_ok) {
            mq_strbuf_add(&e->finding, "the function %s is known",
                         functions[i]);
            return healthy;
        }
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (mq_target_find_symbol(e->target, symbols[i], &error,
                                  &(uint64_t){ 0 }) == mq_ok) {
            mq_strbuf_add(&e->finding, "the variable %s is known", symbols[i]);
            return healthy;
        }
    mq_strbuf_add(&e->finding, "no MPI symbols were found in %s",
                 e->target->image);
    e->advice = "is it an MPI program, and not the one that starts it (mpirun,"
                " a shell)? If so, link it without -s and do not strip it";
    return broken;
}

/* Current MPI libraries show little by themselves. */
static enum health check_watch(struct examination *e)
{
    struct mq_error error = { "" };
    char *library;

    if (mq_target_find_symbol(e->target, MQWATCH_SYMBOL, &error,
                              &(uint64_t){ 0 }) == mq_ok) {
        e->is_watched = true;
        return say(e, healthy, "libmqwatch is in the process, and notes what it"
                   " asks of MPI", NULL);
    }
    library = mq_preload_for_process(e->target, e->choice->folder);
    if (library == NULL)
        return not_there;
    mq_strbuf_add(&e->finding, "libmqwatch is not loaded: verdicts are less"
                  " certain; start the job with"
                  " LD_PRELOAD=%s, or by mqdump --launch, which preloads it",
                  library);
    free(library);
    return weak;
}

/* ---- Debug information in other files ------------------------------------ */

/* Whether FILE is there and has the build id ID. */
static bool is_build(const char *file, const char *id)
{
    char found[mq_build_id_room];
    struct mq_error ignored;

    return mq_elf_build_id(file, &ignored, found) == mq_ok
           && strcmp(found, id) == 0;
}

/* Whether the file NAME of the build ID, which belongs to FILE, is where
 * readers of debug information look for it.
 */
static bool is_installed(const char *file, const char *name, const char *id)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(file, '/');
    char path[2 * PATH_MAX];

    snprintf(path, sizeof path, "%.*s%s",
             slash != NULL ? (int)(slash - file + 1) : 0, file, name);
    if (is_build(path, id))
        return true;
    snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", id,
             id + 2);
    return strlen(id) > 2 && is_build(path, id);
}

/* Says so if a file that the process has loaded has debug information in
 * another one that is not here.
 */
static bool lacks_alternate(const char *line, void *context)
{
    struct examination *e = context;
    char name[mq_alternate_room], id[mq_build_id_room];
    struct mq_mapping mapping;
    struct mq_error ignored;

    if (!mq_mapping_take(line, &mapping) || mapping.path[0] != '/'
        || mapping.offset != 0
        || mq_elf_alternate(mapping.path, &ignored, name, id) != mq_ok
        || is_installed(mapping.path, name, id))
        return false;
    mq_strbuf_add(&e->finding, "%s, which holds types of %s, is missing: some"
                  " details are unknown", name, mapping.path);
    return true;
}

static enum health check_debug(struct examination *e)
{
    const struct mq_subject *subject = e->patient->subject;

    if (subject == NULL || subject->kind != mq_subject_process
        || !mq_process_find_mapping("/proc", subject->pid, lacks_alternate, e))
        return not_there;
    e->advice = "install the package that has this file, or the library as it"
                " was before dwz";
    return weak;
}

/* ---- As far as the DLL ------------------------------------------------ */

static void take_down(struct mq_logger *logger, enum mq_log_level kind,
                      const char *text)
{
    struct examination *e = (struct examination *)logger;

    (void)kind;
    mq_strbuf_add(&e->steps, "%s%s", e->steps.length > 0 ? "; " : "", text);
}

static enum health check_dll(struct examination *e)
{
    struct mq_dll_choice choice = *e->choice;
    struct mq_error error = { "" };

    choice.logger = &e->logger;
    if (mq_dll_choose(&choice, e->target, &error, &e->dll) != mq_ok) {
        mq_strbuf_add(&e->finding, "%s", error.text);
        if (e->steps.length > 0)
            mq_strbuf_add(&e->finding, " (%s)", mq_strbuf_text(&e->steps));
        e->advice = "name a DLL that was made for this MPI library with --dll"
                    " FILE";
        return broken;
    }
    return say(e, healthy, e->dll->file, NULL);
}

static enum health check_trust(struct examination *e)
{
    struct mq_error error = { "" };
    char *path = NULL;
    enum mq_result result = mq_trust_file(e->dll->file, e->choice->user, &error,
                                          &path);

    free(path);
    if (result == mq_ok)
        return say(e, healthy, "only root and you can change it",
                   NULL);
    mq_strbuf_add(&e->finding, "it is loaded because %s, although a DLL named"
                  " by a process would be refused: %s",
                 e->choice->asked != NULL ? "you named it"
                                          : "it came with mqdump", error.text);
    return healthy;
}

static enum health check_loading(struct examination *e)
{
    const struct mq_dll_entries *entries = &e->dll->entries;

    mq_strbuf_add(&e->finding, "it loads and exports every required entry "
                 "point%s%s",
                 entries->get_comm_group == NULL
                 ? ", but does not show groups" : "",
                 entries->get_global_rank == NULL
                 ? ", but does not show ranks" : "");
    return healthy;
}

static enum health check_version(struct examination *e)
{
    const struct mq_dll_entries *entries = &e->dll->entries;

    mq_strbuf_add(&e->finding, "%s; interface %d, addresses of %d bits",
                 entries->version_string(), entries->version_compatibility(),
                 8 * (entries->dll_taddr_width != NULL
                      ? entries->dll_taddr_width()
                      : (int)sizeof(mqs_taddr_t)));
    return healthy;
}

/* ---- As far as the queues --------------------------------------------- */

/* The DLL knows no queues in the image, and says why in ERROR. */
static enum health miss_queues(struct examination *e,
                               const struct mq_error *error)
{
    char *library = mq_preload_for_process(e->target, e->choice->folder);

    mq_strbuf_add(&e->finding, "the DLL does not recognise an MPI library"
                  " in this program%s%s", error->text[0] != '\0' ? ": " : "",
                  error->text);
    e->advice = library != NULL ? "preload libmqwatch to see queues; without it"
                " only calls are shown"
                : "if the program uses another MPI library, name its DLL with"
                  " --dll FILE";
    free(library);
    return broken;
}

/* Whether DLL reads the process and so becomes the one that is examined.  If it
 * knows the image only, the error is why it does not.
 */
static bool take_reader(struct examination *e, struct mq_dll *dll,
                        struct mq_error *error)
{
    struct mq_error why = { "" };
    mqs_image *image;
    mqs_process *process;

    if (mq_dll_image_create(dll, e->target, &why, &image) != mq_ok)
        return false;
    if (mq_dll_process_create(image, e->target, &why, &process) != mq_ok) {
        mq_dll_image_destroy(image);
        mq_fail(error, "%s: %.*s", mq_text_last_name(dll->file),
                (int)sizeof why.text / 2, why.text);
        return false;
    }
    mq_dll_process_destroy(process);
    mq_dll_unload(e->dll);
    e->dll = dll;
    e->image = image;
    return true;
}

/* Whether one of this program's own DLLs serves instead of the chosen one. */
static bool use_reader(struct examination *e, struct mq_error *error)
{
    struct mq_dll *dll;

    for (size_t i = 0; mq_dll_readers[i] != NULL && !e->choice->is_users; i++)
        if (mq_dll_reader(e->choice, mq_dll_readers[i], &dll) == mq_ok) {
            if (take_reader(e, dll, error))
                return true;
            mq_dll_unload(dll);
        }
    return false;
}

static enum health check_image(struct examination *e)
{
    struct mq_error error = { "" };
    enum mq_result result = mq_dll_image_create(e->dll, e->target, &error,
                                                &e->image);

    if (result != mq_ok && use_reader(e, &error)) {
        mq_strbuf_add(&e->finding, "not needed: %s reads the queues (%s)",
                      e->dll->file, e->dll->entries.version_string());
        return healthy;
    }
    if (result == mq_absent)
        return miss_queues(e, &error);
    if (result == mq_failed)
        return say(e, broken, error.text, "compile the MPI library with -g, or"
                   " name an object file that describes its types with --types"
                   " OBJECT");
    return say(e, healthy, "the DLL knows the library's types", NULL);
}

static enum health check_note(struct examination *e)
{
    const char *note = mq_dll_image_note(e->image);

    return note != NULL ? say(e, weak, note, NULL) : not_there;
}

static enum health check_gate(struct examination *e)
{
    if (!mq_acquire_is_held(e->target))
        return not_there;
    return say(e, broken, "the process waits in MPI_Init until a debugger opens"
               " its gate (MPIR_debug_gate); MPICH 1.2.7p1 with -mpichksq does"
               " this", "release it with --open-gate --pid, and look again");
}

static enum health check_init(struct examination *e)
{
    struct mq_error error = { "" };
    enum mq_result result = mq_dll_process_create(e->image, e->target, &error,
                                                  &e->process);

    if (result == mq_ok)
        result = mq_job_create(&error, &e->job);
    if (result == mq_ok)
        result = mq_dll_process_walk(e->process, e->job, &error);
    if (result == mq_failed)
        return say(e, broken, error.text, NULL);
    if (result == mq_absent)
        return say(e, broken, "the DLL sees no queues in this process",
                   "try again later: it may not have reached MPI_Init");
    if (found(e)->communicator_count == 0)
        return say(e, broken, "the process has no communicators: it has not"
                   " reached MPI_Init, or has passed MPI_Finalize",
                   "try again while the program is between MPI_Init and"
                   " MPI_Finalize");
    mq_strbuf_add(&e->finding, "the process has %zu communicator%s",
                  found(e)->communicator_count,
                  found(e)->communicator_count == 1 ? "" : "s");
    return healthy;
}

static enum health check_reads(struct examination *e)
{
    for (size_t i = 0; i < found(e)->remark_count; i++)
        if (found(e)->remarks[i].is_error) {
            mq_strbuf_add(&e->finding, "not everything could be read: %s",
                         found(e)->remarks[i].text);
            e->advice = "the report is correct but may be incomplete; the"
                        " program may have overwritten its own memory";
            return broken;
        }
    return say(e, healthy, "all queues could be read", NULL);
}

static enum health check_rank(struct examination *e)
{
    if (found(e)->rank < 0)
        return say(e, weak, "the process has no known rank, and is left"
                   " out of the analysis", "name it with --ranks-are N");
    mq_strbuf_add(&e->finding, "the process is rank %d", found(e)->rank);
    return healthy;
}

/* ---- What the library lists ------------------------------------------- */

static enum health check_sends(struct examination *e)
{
    const char *note = mq_dll_process_note(e->process);

    for (size_t i = 0; i < found(e)->communicator_count; i++)
        if (found(e)->communicators[i].queues[mq_sends].state == mq_absent)
            return say(e, weak, note != NULL ? note
                       : "the library keeps no list of sends",
                       note != NULL ? NULL : "start the job under a debugger,"
                       " or as its MPI's manual says to keep sends");
    return say(e, healthy, e->is_watched ? "sends are listed"
               : "non-blocking sends are listed; blocking sends never are",
               NULL);
}

static enum health check_call(struct examination *e)
{
    const char *call = found(e)->call;

    switch (mq_call_wait(call)) {
    case mq_wait_unknown:
        return say(e, weak, "it is unknown where the process is: messages"
                   " that have come since it last called MPI are not queued"
                   " yet", NULL);
    case mq_wait_none:
        mq_strbuf_add(&e->finding, "the process is %s%s: messages that have"
                     " come since it last waited in MPI are not queued yet",
                     strcmp(call, "-") == 0 ? "in no MPI function" : "in ",
                     strcmp(call, "-") == 0 ? "" : call);
        return weak;
    default:
        mq_strbuf_add(&e->finding, "the process waits in %s, and so takes in"
                     " what is sent to it", call);
        return healthy;
    }
}

static enum health check_pending(struct examination *e)
{
    size_t count[mq_queue_classes] = { 0 };
    struct mq_operation_ref place = mq_operation_ref_before(0);

    while (mq_operation_ref_next(e->job, &place))
        count[place.queue]++;
    mq_strbuf_add(&e->finding, "receives: %zu, unexpected messages: %zu,"
                 " sends: %zu", count[mq_receives], count[mq_unexpected],
                 count[mq_sends]);
    if (count[mq_receives] + count[mq_unexpected] + count[mq_sends] == 0)
        e->advice = "the view is empty because the library lists no pending"
                    " operation";
    return healthy;
}

/* ---- The chain -------------------------------------------------------- */

static const struct {
    const char *link;
    enum health (*check)(struct examination *);
} chain[] = {
    { "reader", check_reader },
    { "process", check_process },
    { "symbols", check_symbols },
    { "watch", check_watch },
    { "debug", check_debug },
    { "DLL", check_dll },
    { "trust", check_trust },
    { "loading", check_loading },
    { "version", check_version },
    { "types", check_image },
    { "library", check_note },
    { "gate", check_gate },
    { "MPI_Init", check_init },
    { "memory", check_reads },
    { "rank", check_rank },
    { "sends", check_sends },
    { "messages", check_call },
    { "queues", check_pending }
};

static void write_line(struct examination *e, size_t width, FILE *stream,
                       enum health health, const char *link)
{
    static const char *const words[] = { [healthy] = "ok", [weak] = "weak",
                                         [broken] = "BROKEN" };

    fprintf(stream, "%-6s  %-8s  ", words[health], link);
    mq_text_wrap(stream, mq_strbuf_text(&e->finding), 18, 18, width);
    if (e->advice == NULL)
        return;
    fprintf(stream, "%*s-> ", 18, "");
    mq_text_wrap(stream, e->advice, 21, 21, width);
}

/* Examines one patient, and gives whether no link is broken. */
static bool examine(const struct patient *patient,
                    const struct mq_dll_choice *choice)
{
    struct examination e;
    enum health health = healthy;

    memset(&e, 0, sizeof e);
    e.logger.log = take_down;
    e.patient = patient;
    e.choice = choice;
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]
         && health != broken; i++) {
        mq_strbuf_empty(&e.finding);
        e.advice = NULL;
        health = chain[i].check(&e);
        if (health != not_there)
            write_line(&e, mq_text_columns(stdout), stdout, health,
                       chain[i].link);
    }
    mq_job_destroy(e.job);
    if (e.process != NULL)
        mq_dll_process_destroy(e.process);
    if (e.image != NULL)
        mq_dll_image_destroy(e.image);
    mq_dll_unload(e.dll);
    mq_target_destroy(e.target);
    mq_tools_deinit(&e.tools);
    mq_strbuf_deinit(&e.steps);
    mq_strbuf_deinit(&e.finding);
    return health != broken;
}

/* The same in a child, which untrusted files and their DLL may end. */
static bool examine_apart(const struct patient *patient,
                          const struct mq_dll_choice *choice)
{
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child < 0)
        return examine(patient, choice);
    if (child == 0)
        _exit((int)mq_output_finish(examine(patient, choice)
                                    ? mq_exit_shown : mq_exit_could_not));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        printf("the examining process was killed by signal %d (%s)\n",
               WTERMSIG(status), strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == mq_exit_shown;
}

/* ---- The round of what a command line names ---------------------------- */

struct round {
    const struct mq_settings *settings;
    const struct mq_dll_choice *choice;
    struct mq_rank_list ranks;
    size_t patients;            /* so far */
    bool all_healthy;
};

static void visit(struct round *r, const char *snapshot,
                  const struct mq_subject *subject)
{
    const struct patient patient = { snapshot, subject, &r->settings->live };

    if (r->patients++ > 0)
        putchar('\n');
    if (!examine_apart(&patient, r->choice))
        r->all_healthy = false;
}

/* Where a job's processes are listed: by its starter, or by what they are. */
static enum mq_result list_job(const struct mq_pin *starter,
                               const struct mq_read_options *how,
                               struct mq_reading *none, struct mq_error *error,
                               struct mq_proctable *table)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_acquired job;
    struct mq_target *target;
    enum mq_result result = mq_variables_open(&files, starter, error, &target);

    mq_loaded_deinit(&files);
    if (result == mq_ok) {
        result = mq_starter_acquire(target, starter->pid, NULL, how, none,
                                    error, &job);
        mq_target_destroy(target);
    }
    if (result == mq_ok && job.table.count > 0) {
        *table = job.table;
        return mq_ok;
    }
    if (result == mq_ok)
        mq_acquired_deinit(&job);
    if (result != mq_failed)
        return mq_discover_job("/proc", starter->pid, NULL, error, table);
    return mq_discover_job("/proc", starter->pid, NULL, NULL, table) == mq_ok
           ? mq_ok : mq_failed;
}

/* The first rank on this host of the job that the process PIN started, or
 * that process: what is wrong with one is mostly wrong with all.
 */
static enum mq_result find_rank(const struct mq_pin *pin,
                                const struct mq_read_options *how,
                                struct mq_error *error,
                                struct mq_subject *subject)
{
    struct mq_proctable table = { .count = 0 };
    struct mq_reading none;
    enum mq_result result = mq_reading_init(&none, NULL, error);

    *subject = (struct mq_subject){
        .kind = mq_subject_process, .pid = pin->pid, .pin = *pin,
        .rank = -1
    };
    if (result != mq_ok)
        return mq_failed;
    result = list_job(pin, how, &none, error, &table);
    for (size_t i = 0; result == mq_ok && i < table.count; i++) {
        const struct mq_procdesc *entry = &table.entries[i];

        if (!mq_member_is_here(entry)
            || mq_pin_named_process(pin, (int)entry->place.pid, error,
                                    &subject->pin) != mq_ok)
            continue;
        subject->pid = (int)entry->place.pid;
        subject->rank = (int)entry->rank;
        break;
    }
    mq_proctable_deinit(&table);
    mq_reading_deinit(&none);
    return result == mq_failed ? mq_failed : mq_ok;
}

static enum mq_result subject_of_job(const struct mq_source *source,
                                     const struct mq_read_options *how,
                                     struct mq_error *error,
                                     struct mq_subject **subjects,
                                     size_t *count)
{
    struct mq_subject found, *made;
    struct mq_pin pin;
    int pid;

    if (!mq_number_is(source->values[0], 1, INT_MAX, &pid))
        return mq_fail(error, "--job %s: a process id is a number",
                       source->values[0]);
    if (mq_pin_process(pid, error, &pin) != mq_ok
        || mq_rights_take(&pin, how, error) != mq_ok
        || find_rank(&pin, how, error, &found) != mq_ok)
        return mq_failed;
    made = malloc(sizeof *made);
    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    *made = found;
    *subjects = made;
    *count = 1;
    return mq_ok;
}

static enum mq_result visit_source(struct round *r,
                                   const struct mq_source *source,
                                   struct mq_error *error)
{
    const struct mq_read_options how = {
        .choice = *r->choice, .live = &r->settings->live
    };
    struct mq_subject *subjects = NULL;
    size_t count = 0, i;
    enum mq_result result;

    result = source->kind != mq_source_file ? mq_ok
             : mq_regular_begins_with(source->values[0], "mqdigest ", error);
    if (result == mq_failed)
        return mq_failed;
    if (result == mq_absent) {
        visit(r, source->values[0], NULL);
        return mq_ok;
    }
    if (source->kind == mq_source_job)
        result = subject_of_job(source, &how, error, &subjects, &count);
    else if (source->kind == mq_source_processes)
        result = mq_subjects_of_processes(source->values, &r->ranks, error,
                                          &subjects, &count);
    else if (source->kind == mq_source_core)
        result = mq_subjects_of_core(source->values, &r->ranks, error,
                                     &subjects, &count);
    else
        result = mq_absent;
    if (result == mq_ok)
        result = mq_rights_take_all(subjects, count, &how, error);
    for (i = 0; result == mq_ok && i < count; i++)
        visit(r, NULL, &subjects[i]);
    free(subjects);
    if (result == mq_absent)
        return mq_fail(error, "the doctor examines a snapshot, or what --pid, "
                       "--job or --core names: a digest cannot be "
                       "examined");
    return result;
}

enum mq_exit mq_doctor(const struct mq_settings *settings,
                       const struct mq_dll_choice *choice)
{
    const char *ranks = settings->live.ranks;
    struct round r = { settings, choice, { ranks, ranks }, 0, true };
    struct mq_error error;

    for (size_t i = 0; i < settings->sources.count; i++)
        if (visit_source(&r, &settings->sources.items[i], &error) != mq_ok)
            return mq_output_fail(error.text);
    return mq_output_finish(r.all_healthy ? mq_exit_shown : mq_exit_unknown);
}
