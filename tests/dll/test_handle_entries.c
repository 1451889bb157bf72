/* test_handle_entries.c - handle DLL: misuse of its entry points
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/handle_session.h"
#include "tests/kit/harness.h"

typedef int query_ft(mqs_image *, mqs_image_info *, mqs_process *,
                     mqs_process_info *, mqs_taddr_t, void *);
typedef int init_image_ft(mqs_image *, const mqs_image_callbacks *,
                          struct mpidbg_handle_info_t *);
typedef int init_process_ft(mqs_process *, const mqs_process_callbacks *,
                            struct mpidbg_handle_info_t *);

static const char *const queries[] = {
    "mpidbg_comm_query", "mpidbg_errhandler_query", "mpidbg_group_query",
    "mpidbg_op_query", "mpidbg_request_query", "mpidbg_status_query",
    "mpidbg_datatype_query", "mpidbg_datatype_query_object"
};

static const char *const conversions[] = {
    "mpidbg_comm_f2c", "mpidbg_errhandler_f2c", "mpidbg_group_f2c",
    "mpidbg_op_f2c", "mpidbg_datatype_f2c", "mpidbg_request_f2c",
    "mpidbg_status_f2c", "mpidbg_errhandler_cxx2c", "mpidbg_status_cxx2c"
};

enum {
    query_count = sizeof queries / sizeof queries[0],
    conversion_count = sizeof conversions / sizeof conversions[0]
};

/* What queries and conversions say to a debugger that gives them no process, or
 * no place for the answer.
 */
static void check_unavailable(const char *name, mqs_process_info *info)
{
    query_ft *query;
    mqs_taddr_t answer = 0;
    void *result = &answer;

    test("%s without what it needs", name);
    handle_entry(name, &query);
    CHECK_INT(query(NULL, NULL, NULL, info, 11, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(query(NULL, NULL, NULL, NULL, 11, &result),
              MPIDBG_ERR_UNAVAILABLE);
    CHECK(result == &answer && answer == 0);
}

static void test_without_needs(void)
{
    struct handle_scenario s;
    struct handle_session session;

    handle_scenario_create(&s, NULL, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    for (int i = 0; i < query_count; i++)
        check_unavailable(queries[i], session.process.info);
    for (int i = 0; i < conversion_count; i++)
        check_unavailable(conversions[i], session.process.info);
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* mpidbg_comm_list has no value among its arguments. */
static void test_list(void)
{
    int (*list)(mqs_image *, mqs_image_info *, mqs_process *,
                mqs_process_info *, struct mpidbg_handle_list_t **);
    struct handle_scenario s;
    struct handle_session session;

    test("mpidbg_comm_list");
    handle_entry("mpidbg_comm_list", &list);
    handle_scenario_create(&s, NULL, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_INT(list(NULL, NULL, NULL, session.process.info, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    handle_session_close(&session);
    sim_hide(s.base.sim, "MPIR_Communicator", "self", true);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_STRING(handle_show(&session, "list", 0),
                 "error: The type MPIR_Communicator has no member self\n");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* ---- Before mpidbg_init_once, and after one that failed ---- */

static void test_too_early(void)
{
    int (*once)(const mqs_basic_callbacks *);
    init_image_ft *image;
    init_process_ft *process;
    void (*finalize_image)(mqs_image *, mqs_image_info *);
    void (*finalize_process)(mqs_process *, mqs_process_info *);
    void (*release)(void *);
    struct handle_session session;
    int something = 0;

    memset(&session, 0, sizeof session);
    handle_entry("mpidbg_init_once", &once);
    handle_entry("mpidbg_init_per_image", &image);
    handle_entry("mpidbg_init_per_process", &process);
    handle_entry("mpidbg_finalize_per_image", &finalize_image);
    handle_entry("mpidbg_finalize_per_process", &finalize_process);
    handle_entry("mpidbg_release", &release);
    test("calls before mpidbg_init_once");
    CHECK_INT(once(NULL), MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(image(&session.image, &mq_image_callbacks, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(process(&session.process, &mq_process_callbacks, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    for (int i = 0; i < query_count; i++)
        check_unavailable(queries[i], (mqs_process_info *)&something);
    finalize_image(&session.image, (mqs_image_info *)&something);
    finalize_process(&session.process, (mqs_process_info *)&something);
    release(&something);
    CHECK_INT(something, 0);
    test("null arguments");
    CHECK_INT(once(&mq_basic_callbacks), MPIDBG_SUCCESS);
    CHECK_INT(image(NULL, &mq_image_callbacks, NULL), MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(image(&session.image, NULL, NULL), MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(process(NULL, &mq_process_callbacks, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    CHECK_INT(process(&session.process, NULL, NULL), MPIDBG_ERR_UNAVAILABLE);
    session.process.image = &session.image;
    CHECK_INT(process(&session.process, &mq_process_callbacks, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    release(NULL);
    CHECK_INT(mq_store.blocks, 0);
}

/* Types of handles need not be asked for. */
static void test_without_types(void)
{
    init_image_ft *image;
    init_process_ft *process;
    struct handle_scenario s;
    struct handle_session session;

    test("a debugger that asks for no types");
    handle_scenario_create(&s, NULL, NULL);
    memset(&session, 0, sizeof session);
    session.image.target = session.process.target = sim_target(s.base.sim);
    session.process.image = &session.image;
    handle_entry("mpidbg_init_per_image", &image);
    handle_entry("mpidbg_init_per_process", &process);
    CHECK_INT(image(&session.image, &mq_image_callbacks, NULL),
              MPIDBG_SUCCESS);
    CHECK_INT(process(&session.process, &mq_process_callbacks, NULL),
              MPIDBG_SUCCESS);
    CHECK_CONTAINS(handle_show(&session, "comm", 91), "MPI_COMM_WORLD");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* ---- Images and processes ---- */

static void hide_all(struct handle_scenario *s)
{
    sim_hide(s->base.sim, "MPIR_Communicator", NULL, true);
    sim_hide(s->base.sim, "MPIR_DATATYPE", NULL, true);
    sim_hide(s->base.sim, "MPIR_RHANDLE", NULL, true);
}

static void show_datatypes(struct handle_scenario *s)
{
    hide_all(s);
    sim_hide(s->base.sim, "MPIR_DATATYPE", NULL, false);
}

static void show_requests(struct handle_scenario *s)
{
    hide_all(s);
    sim_hide(s->base.sim, "MPIR_RHANDLE", NULL, false);
}

static void odd_sizes(struct handle_scenario *s)
{
    sim_target(s->base.sim)->sizes.int_size = 3;
}

/* The target's own look-up of members, with an offset that none has. */
static const struct mq_target_ops *own;

static enum mq_result far_away(struct mq_target *target,
                               const struct mq_target_type *type,
                               const char *name, struct mq_error *error,
                               uint64_t *offset)
{
    enum mq_result result = own->find_member(target, type, name, error,
                                             offset);

    if (result == mq_ok && strcmp(name, "comm_next") == 0)
        *offset = 100000;
    return result;
}

/* Variables at the end of the address space. */
static enum mq_result at_the_end(struct mq_target *target, const char *name,
                                 bool is_function, struct mq_error *error,
                                 uint64_t *address)
{
    enum mq_result result = own->find_name(target, name, is_function, error,
                                           address);

    if (result == mq_ok && !is_function)
        *address = UINT64_MAX >> (64 - 8 * target->sizes.pointer_size);
    return result;
}

static struct mq_target_ops changed;

static void odd_members(struct handle_scenario *s)
{
    changed.find_member = far_away;
    sim_target(s->base.sim)->ops = &changed;
}

static void variables_at_the_end(struct handle_scenario *s)
{
    changed.find_name = at_the_end;
    sim_target(s->base.sim)->ops = &changed;
}

/* Both steps of the setting up have to be what is wanted together. */
static void check_init(const char *what,
                       void (*change)(struct handle_scenario *),
                       const char *wanted)
{
    char *(*sentence)(int);
    struct handle_scenario s;
    struct handle_session session;

    test("%s", what);
    handle_entry("mpidbg_error_string", &sentence);
    handle_scenario_create(&s, NULL, NULL);
    own = sim_target(s.base.sim)->ops;
    changed = *own;
    change(&s);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_CONTAINS(sentence(session.status), wanted);
    handle_session_close(&session);
    sim_target(s.base.sim)->ops = own;
    sim_destroy(s.base.sim);
    CHECK_INT(mq_store.blocks, 0);
}

static void check_question(struct handle_session *session, const char *kind,
                           mqs_taddr_t value, const char *wanted)
{
    CHECK_CONTAINS(handle_show(session, kind, value), wanted);
}

static void test_at_the_end(void)
{
    struct handle_scenario s;
    struct handle_session session;

    test("variables at the end of the address space");
    handle_scenario_create(&s, NULL, NULL);
    own = sim_target(s.base.sim)->ops;
    changed = *own;
    variables_at_the_end(&s);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_INT(session.status, MPIDBG_SUCCESS);
    check_question(&session, "comm", 91,
                   "error: An object of type MPIR_Communicator cannot be");
    check_question(&session, "op", 2000,
                   "error: PtrBlocks cannot be read from the process");
    handle_session_close(&session);
    sim_target(s.base.sim)->ops = own;
    sim_destroy(s.base.sim);
}

/* ---- Other languages ---- */

static void test_languages(void)
{
    struct handle_scenario s;
    struct handle_session session;
    char receive[32];

    handle_scenario_create(&s, NULL, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    snprintf(receive, sizeof receive, "%llu",
             (unsigned long long)s.persistent_receive);
    for (int i = 0; i < 5; i++) {
        test("%s", conversions[i]);
        CHECK_STRING(handle_convert(&session, conversions[i], 102), "102");
        CHECK_CONTAINS(handle_convert(&session, conversions[i], 1 << 30),
                       "error: No handle of MPICH 1.x has that value");
    }
    test("requests and statuses of Fortran");
    CHECK_STRING(handle_convert(&session, "mpidbg_request_f2c", 1100),
                 receive);
    CHECK_STRING(handle_convert(&session, "mpidbg_request_f2c", 0), "0");
    CHECK_STRING(handle_convert(&session, "mpidbg_status_f2c", 4711), "4711");
    for (int i = 7; i < conversion_count; i++) {
        test("%s", conversions[i]);
        CHECK_CONTAINS(handle_convert(&session, conversions[i], 4711),
                       "error: MPICH 1.x has no such thing");
    }
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* Those of communicators and requests are told what kind of object it is. */
static void test_cxx_objects(void)
{
    int (*comm)(mqs_image *, mqs_image_info *, mqs_process *,
                mqs_process_info *, mqs_taddr_t,
                enum mpidbg_comm_info_bitmap_t, mqs_taddr_t *);
    int (*request)(mqs_image *, mqs_image_info *, mqs_process *,
                   mqs_process_info *, mqs_taddr_t,
                   enum mpidbg_request_info_bitmap_t, mqs_taddr_t *);
    struct handle_scenario s;
    struct handle_session session;
    mqs_taddr_t c = 1;

    handle_entry("mpidbg_comm_cxx2c", &comm);
    handle_entry("mpidbg_request_cxx2c", &request);
    handle_scenario_create(&s, NULL, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    test("mpidbg_comm_cxx2c");
    CHECK_INT(comm(NULL, NULL, NULL, session.process.info, 4711,
                   MPIDBG_COMM_INFO_CARTESIAN, &c),
              MPIDBG_ERR_NOT_SUPPORTED);
    CHECK_INT(c, 1);
    test("mpidbg_request_cxx2c");
    CHECK_INT(request(NULL, NULL, NULL, session.process.info, 4711,
                      MPIDBG_REQUEST_INFO_PREDEFINED, &c),
              MPIDBG_ERR_NOT_SUPPORTED);
    CHECK_INT(c, 1);
    CHECK_INT(request(NULL, NULL, NULL, session.process.info, 4711,
                      MPIDBG_REQUEST_INFO_PREDEFINED, NULL),
              MPIDBG_ERR_UNAVAILABLE);
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* Lists that the DLL does not give are not empty ones. */
static void test_unsupported_lists(void)
{
    struct handle_scenario s;
    struct handle_session session;
    struct mpidbg_comm_info_t *it = NULL;
    void (*release)(void *);
    query_ft *query;
    void *result = NULL;

    test("lists of windows and files");
    handle_entry("mpidbg_comm_query", &query);
    handle_entry("mpidbg_release", &release);
    handle_scenario_create(&s, NULL, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_INT(query(NULL, NULL, NULL, session.process.info, 91, &result),
              MPIDBG_SUCCESS);
    it = result;
    if (it != NULL) {
        CHECK_INT(it->comm_num_derived_windows, MPIDBG_ERR_NOT_SUPPORTED);
        CHECK_INT(it->comm_num_derived_files, MPIDBG_ERR_NOT_SUPPORTED);
        CHECK(it->comm_derived_windows == NULL);
        CHECK(it->comm_derived_files == NULL);
        release(result);
    }
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* ---- Statuses ---- */

static void test_statuses(const struct sim_shape *shape)
{
    static const char type[] = "MPI_Status";
    struct handle_scenario s;
    struct handle_session session;
    uint64_t status;

    test("%s, statuses", shape->name);
    handle_scenario_create(&s, shape, NULL);
    status = sim_add_bytes(s.base.sim, NULL, 64);
    sim_set(s.base.sim, status, type, "MPI_SOURCE", 3);
    sim_set(s.base.sim, status, type, "MPI_TAG", 77);
    sim_set(s.base.sim, status, type, "count", 3200);
    handle_session_open(&session, sim_target(s.base.sim));
    check_question(&session, "status", (mqs_taddr_t)status,
                   "status: source 3 tag 77 bytes 3200\n");
    check_question(&session, "status", 0,
                   "error: An object of type MPI_Status cannot be read");
    check_question(&session, "status", (mqs_taddr_t)-1,
                   "error: An object of type MPI_Status cannot be read");
    handle_session_close(&session);
    sim_hide(s.base.sim, type, "MPI_ERROR", true);
    handle_session_open(&session, sim_target(s.base.sim));
    check_question(&session, "status", (mqs_taddr_t)status,
                   "status: source 3 tag 77 bytes 3200\n");
    handle_session_close(&session);
    sim_hide(s.base.sim, type, "MPI_TAG", true);
    handle_session_open(&session, sim_target(s.base.sim));
    check_question(&session, "status", (mqs_taddr_t)status,
                   "error: The type MPI_Status has no member MPI_TAG\n");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* ---- What the DLL says of itself ---- */

static void test_itself(void)
{
    int (*version)(void), (*width)(void);
    char *(*name)(void);
    char *(*sentence)(int);
    char *big_endian, *bitness;
    const int one = 1;

    test("what the DLL is");
    handle_entry("mpidbg_interface_version_compatibility", &version);
    handle_entry("mpidbg_dll_taddr_width", &width);
    handle_entry("mpidbg_version_string", &name);
    handle_entry("mpidbg_error_string", &sentence);
    handle_entry("mpidbg_dll_is_big_endian", &big_endian);
    handle_entry("mpidbg_dll_bitness", &bitness);
    CHECK_INT(version(), MPIDBG_INTERFACE_VERSION);
    CHECK_INT(width(), sizeof(mqs_taddr_t));
    CHECK_CONTAINS(name(), "MPICH 1.1 to 1.2.7");
    CHECK_INT(*bitness, 8 * sizeof(void *));
    CHECK_INT(*big_endian, *(const char *)&one == 0);
    CHECK_STRING(sentence(MPIDBG_SUCCESS), "No error");
    CHECK_CONTAINS(sentence(-1), "does not know");
    CHECK_CONTAINS(sentence(99999), "does not know");
}

/* Each map ends with a null name and begins with the null handle. */
static void test_maps(void)
{
    static const struct {
        const char *name, *first;
        size_t count;
    } maps[] = {
        { "mpidbg_comm_name_map", "MPI_COMM_NULL", 3 },
        { "mpidbg_errhandler_name_map", "MPI_ERRHANDLER_NULL", 4 },
        { "mpidbg_datatype_name_map", "MPI_DATATYPE_NULL", 34 },
        { "mpidbg_group_name_map", "MPI_GROUP_NULL", 2 },
        { "mpidbg_op_name_map", "MPI_OP_NULL", 13 }
    };

    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        struct mpidbg_name_map_t **map;
        size_t count = 0;

        test("%s", maps[i].name);
        handle_entry(maps[i].name, &map);
        while ((*map)[count].map_name != NULL)
            count++;
        CHECK_STRING((*map)[0].map_name, maps[i].first);
        CHECK_INT((*map)[0].map_handle, 0);
        CHECK_INT(count, maps[i].count);
    }
}

int main(void)
{
    test_too_early();
    test_without_needs();
    test_list();
    test_without_types();
    check_init("an image without MPICH's types", hide_all,
               "MPICH 1.x has no such thing");
    check_init("an image with datatypes only", show_datatypes, "No error");
    check_init("an image with requests only", show_requests, "No error");
    check_init("members that lie outside any struct", odd_members,
               "outside every structure of MPICH");
    check_init("ints of three bytes", odd_sizes,
               "invalid sizes of int, long and pointer");
    test_at_the_end();
    test_languages();
    test_cxx_objects();
    test_unsupported_lists();
    for (size_t i = 0; i < sim_shape_count; i++)
        test_statuses(&sim_shapes[i]);
    test_itself();
    test_maps();
    return tests_end();
}
