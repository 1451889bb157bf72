/* test_record.c - recordings equal their targets */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/simulation/scenario.h"
#include "target/record.h"
#include "target/snapshot.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"
#include "tests/kit/sim_layouts.h"
#include "tests/kit/sim_snapshot.h"

#include <stdlib.h>
#include <string.h>

/* ---- From one target to the next ----------------------------------------- */

static struct mq_target *parse(const char *name, char *text, size_t length)
{
    struct mq_target *target = NULL;
    struct mq_error error;

    if (mq_snapshot_parse(name, text, length, &error, &target)
        != mq_ok) {
        printf("%s\n", error.text);
        abort();
    }
    free(text);
    return target;
}

/* The simulated process as a target that knows the members of its types. */
static struct mq_target *target_of(struct sim *sim)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);

    sim_write_snapshot(sim, file);
    fclose(file);
    return parse("process 4711", text, length);
}

static struct mq_target *recorder_of(struct mq_target *subject)
{
    struct mq_target *recorder = NULL;

    CHECK_INT(mq_record_open(subject, true, NULL, &recorder), mq_ok);
    return recorder;
}

static char *text_of(struct mq_target *recorder, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    struct mq_error error;

    CHECK_INT(mq_record_write(recorder, 2, &error, file), mq_ok);
    fclose(file);
    return text;
}

static struct mq_target *replay_of(struct mq_target *recorder)
{
    size_t length;
    char *text = text_of(recorder, &length);

    return parse("recording", text, length);
}

/* What the DLL shows of TARGET, in a new string. */
static char *shown(struct mq_target *target)
{
    struct session session;
    char *text;

    session_open(&session, target);
    text = strdup(session.status == mqs_ok ? session_show(&session)
                  : session.dll->dll_error_string(session.status));
    session_close(&session);
    return text;
}

/* Records what the DLL asks of SIM and checks that the replay shows the same.
 * Destroys SIM.
 */
static void check_replay(struct sim *sim)
{
    struct mq_target *subject = target_of(sim);
    struct mq_target *recorder = recorder_of(subject);
    char *live = shown(recorder);
    struct mq_target *replay = replay_of(recorder);
    char *replayed = shown(replay);

    CHECK_STRING(replayed, live);
    CHECK_INT(replay->rank, 2);
    CHECK_STRING(replay->name, "process 4711");
    CHECK_INT(replay->byte_order, subject->byte_order);
    CHECK_INT(replay->sizes.long_size, subject->sizes.long_size);
    CHECK_STRING(replay->image, subject->image);
    free(live);
    free(replayed);
    mq_target_destroy(replay);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
    sim_destroy(sim);
}

/* ---- Whole processes ----------------------------------------------------- */

static void replays(void)
{
    struct scenario scenario;
    size_t shape, layout;

    for (shape = 0; shape < sim_shape_count; shape++) {
        for (layout = 0; layout < sim_layout_count; layout++) {
            test("a replay on %s, %s", sim_shapes[shape].name,
                 sim_layouts[layout].name);
            scenario_create(&scenario, &sim_shapes[shape],
                            &sim_layouts[layout], sim_scattered);
            check_replay(scenario.sim);
        }
    }
}

static struct sim *scene(struct scenario *scenario)
{
    scenario_create(scenario, NULL, NULL, sim_scattered);
    return scenario->sim;
}

static uint64_t first_posted(struct sim *sim)
{
    return sim_get_address(sim, sim_symbol(sim, "MPID_recvs"), "MPID_QHDR",
                           "posted.first");
}

static void damage(void)
{
    struct scenario scenario;
    struct sim *sim;

    test("a list that leads nowhere");
    sim = scene(&scenario);
    sim_set(sim, first_posted(sim), "MPID_QEL", "next",
            (int64_t)sim_nowhere(sim));
    check_replay(sim);

    test("a list that loops");
    sim = scene(&scenario);
    sim_set(sim, first_posted(sim), "MPID_QEL", "next",
            (int64_t)first_posted(sim));
    check_replay(sim);

    test("a type that is not known");
    sim = scene(&scenario);
    sim_hide(sim, "MPIR_SQEL", NULL, true);
    check_replay(sim);

    test("a name at the end of memory");
    sim = scene(&scenario);
    sim_set(sim, scenario.world, "MPIR_Communicator", "comm_name",
            (int64_t)sim_add_bytes(sim, "endless", 7));
    check_replay(sim);
}

/* ---- Single questions ---------------------------------------------------- */

static void absent(void)
{
    struct scenario scenario;
    struct mq_target *subject, *recorder, *replay;
    const struct mq_target_type *type;
    struct mq_error error;
    uint64_t address;
    char bytes[64];

    test("what was absent is absent, what could not be read cannot");
    subject = target_of(scene(&scenario));
    recorder = recorder_of(subject);
    CHECK_INT(mq_target_find_symbol(recorder, "nothing", &error,
                                    &address), mq_absent);
    CHECK_INT(mq_target_find_type(recorder, "nothing", &error, &type),
              mq_absent);
    CHECK_INT(mq_target_find_type(recorder, "nil", &error, &type),
              mq_absent);
    CHECK_STRING(mq_record_missing_type(recorder), "nothing");
    CHECK(!mq_record_has_symbols(recorder) && !mq_record_has_types(recorder));
    CHECK_INT(recorder->ops->read(recorder, sim_nowhere(scenario.sim), 8,
                                  &error, bytes), mq_failed);
    CHECK_INT(recorder->ops->read(recorder, scenario.world, 8, &error, bytes),
              mq_ok);
    replay = replay_of(recorder);
    CHECK_INT(mq_target_find_symbol(replay, "MPID_recvs", &error,
                                    &address), mq_absent);
    CHECK_INT(mq_target_find_type(replay, "MPID_QHDR", &error, &type),
              mq_absent);
    CHECK_INT(replay->ops->read(replay, scenario.world, 8, &error, bytes),
              mq_ok);
    CHECK_INT(replay->ops->read(replay, scenario.world, 9, &error, bytes),
              mq_failed);
    CHECK_INT(replay->ops->read(replay, scenario.world - 1, 2, &error, bytes),
              mq_failed);
    mq_target_destroy(replay);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
    sim_destroy(scenario.sim);
}

/* Asks for the member and returns its offset. */
static uint64_t offset_of(struct mq_target *target,
                          const struct mq_target_type *type, const char *name)
{
    uint64_t offset = 0;

    CHECK_INT(mq_target_find_member(target, type, name, NULL, &offset),
              mq_ok);
    return offset;
}

static void structs(void)
{
    struct scenario scenario;
    struct mq_target *subject, *recorder, *replay;
    const struct mq_target_type *type = NULL;
    uint64_t element, tag, masked, size = 0;
    char bytes[256];

    test("the struct around members that were read");
    subject = target_of(scene(&scenario));
    element = first_posted(scenario.sim);
    recorder = recorder_of(subject);
    mq_target_find_type(recorder, "MPID_QEL", NULL, &type);
    tag = offset_of(recorder, type, "tag");
    masked = offset_of(recorder, type, "tagmask");
    CHECK_INT(masked, tag + 4);
    CHECK_INT(mq_target_find_member(recorder, type, "none", NULL, &size),
              mq_absent);
    CHECK_INT(recorder->ops->read(recorder, element + tag, 8, NULL, bytes),
              mq_ok);
    replay = replay_of(recorder);
    mq_target_find_type(replay, "MPID_QEL", NULL, &type);
    CHECK_INT(mq_target_type_size(replay, type, NULL, &size), mq_ok);
    CHECK_INT(replay->ops->read(replay, element, (size_t)size, NULL, bytes),
              mq_ok);
    CHECK_INT(replay->ops->read(replay, element, (size_t)size + 1, NULL,
                                bytes), mq_failed);
    CHECK_INT(offset_of(replay, type, "ptr") > 0, 1);
    mq_target_destroy(replay);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
    sim_destroy(scenario.sim);
}

static void stretches(void)
{
    static const struct {
        int offset, length;
    } reads[] = {
        { 40, 8 }, { 0, 8 }, { 4, 8 }, { 12, 4 }, { 16, 1 }, { 40, 20 },
        { 2, 2 }, { 100, 28 }, { 40, 8 }
    };
    struct scenario scenario;
    struct mq_target *subject, *recorder, *replay;
    unsigned char pattern[128], bytes[128];
    uint64_t address;
    size_t i;

    test("reads that overlap, touch, and lie apart");
    for (i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)(i % 50 < 30 ? i : 0);
    scene(&scenario);
    address = sim_add_bytes(scenario.sim, pattern, sizeof pattern);
    subject = target_of(scenario.sim);
    recorder = recorder_of(subject);
    for (i = 0; i < sizeof reads / sizeof reads[0]; i++)
        CHECK_INT(recorder->ops->read(recorder,
                                      address + (uint64_t)reads[i].offset,
                                      (size_t)reads[i].length, NULL, bytes),
                  mq_ok);
    replay = replay_of(recorder);
    CHECK_INT(replay->ops->read(replay, address, 17, NULL, bytes), mq_ok);
    CHECK(memcmp(bytes, pattern, 17) == 0);
    CHECK_INT(replay->ops->read(replay, address, 18, NULL, bytes), mq_failed);
    CHECK_INT(replay->ops->read(replay, address + 40, 20, NULL, bytes), mq_ok);
    CHECK(memcmp(bytes, pattern + 40, 20) == 0);
    CHECK_INT(replay->ops->read(replay, address + 40, 21, NULL, bytes),
              mq_failed);
    CHECK_INT(replay->ops->read(replay, address + 100, 28, NULL, bytes),
              mq_ok);
    CHECK(memcmp(bytes, pattern + 100, 28) == 0);
    mq_target_destroy(replay);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
    sim_destroy(scenario.sim);
}

/* ---- What cannot be recorded --------------------------------------------- */

/* Stacks are recorded whole, and not lost on the way. */
static void stacks(void)
{
    static const char lines[] =
        "thread MPI_Recv\n"
        "frame poll 79 % 0 /lib/libc.so.6 mpi\n"
        "left-out 3\n"
        "frame MPI_Recv 5 a%20b.c 7 % mpi\n"
        "frame main 9 % 0 % -\n"
        "argument tag -1 sure\n"
        "argument comm 91 doubtful\n"
        "thread ?\n";
    static const char rest[] =
        "endian little\nsize short 2\nsize int 4\nsize long 8\n"
        "size longlong 8\nsize pointer 8\nimage a\nrank 0\n";
    char text[1024], *again;
    struct mq_target *subject, *recorder;
    size_t length;

    test("stacks are recorded");
    length = (size_t)snprintf(text, sizeof text, "mqsnap 2\n%s%send\n", rest,
                              lines);
    subject = parse("process 4711", strdup(text), length);
    recorder = recorder_of(subject);
    again = text_of(recorder, &length);
    CHECK_CONTAINS(again, lines);
    free(again);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
}

static enum mq_result find_none(struct mq_target *target,
                                const struct mq_target_type *type,
                                const char *name, struct mq_error *error,
                                uint64_t *offset)
{
    (void)target, (void)type, (void)name, (void)error, (void)offset;
    return mq_absent;
}

static void refusals(void)
{
    struct scenario scenario;
    struct mq_target *subject, *recorder = NULL;
    struct mq_target_ops less;
    struct mq_error error = { "" };
    FILE *full;

    test("a target that does not tell members");
    subject = target_of(scene(&scenario));
    less = *subject->ops;
    less.find_member = find_none;
    subject->ops = &less;
    CHECK_INT(mq_record_open(subject, true, &error, &recorder), mq_failed);
    CHECK_STRING(error.text, "process 4711 cannot be recorded: it does not "
                 "know the members of types");
    CHECK(recorder == NULL);

    test("a full disk");
    mq_target_destroy(subject);
    subject = target_of(scenario.sim);
    recorder = recorder_of(subject);
    full = fopen("/dev/full", "w");
    CHECK_INT(mq_record_write(recorder, -1, &error, full), mq_ok);
    CHECK(fflush(full) != 0 && ferror(full));
    fclose(full);
    mq_target_destroy(recorder);
    mq_target_destroy(subject);
    sim_destroy(scenario.sim);
}

int main(void)
{
    replays();
    damage();
    absent();
    structs();
    stretches();
    stacks();
    refusals();
    return tests_end();
}
