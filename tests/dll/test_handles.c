/* test_handles.c - handle DLL: all objects, in every layout
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/handle_session.h"
#include "tests/kit/harness.h"
#include "tests/kit/sim_layouts.h"

struct fixture {
    struct handle_scenario s;
    struct handle_session session;
};

static void open_fixture(struct fixture *f, const struct sim_shape *shape,
                         const struct sim_layout *layout)
{
    handle_scenario_create(&f->s, shape, layout);
    handle_session_open(&f->session, sim_target(f->s.base.sim));
}

static void close_fixture(struct fixture *f)
{
    handle_session_close(&f->session);
    sim_destroy(f->s.base.sim);
    CHECK_INT(mq_store.blocks, 0);
}

static void test_communicators(struct fixture *f)
{
    struct handle_session *session = &f->session;

    CHECK_STRING(handle_show(session, "comm", 91),
                 "name: MPI_COMM_WORLD\nflags: 0x1\nrank: 2 of 4\n"
                 "handles: 91 91 group 200\nerrhandler: 119\n"
                 "local: 0 1 2 3\n"
                 "attribute 301 -: 0x5150\n"
                 "attribute 81 MPI_TAG_UB: 4711\n"
                 "attribute 80 MPI_TAG_UB: 4711\n"
                 "attribute 302 -: 0x0\n"
                 "requests: 5, 3 receives\n");
    CHECK_STRING(handle_show(session, "comm", 140),
                 "name: copy of world\nflags: 0x2\nrank: 2 of 4\n"
                 "handles: 140 140 group 200\nerrhandler: 160\n"
                 "local: 0 1 2 3\ndims: 2 2\nperiod 0: 1\nperiod 1: 0\n"
                 "position: 1 0\nrequests: 3, 2 receives\n");
    CHECK_STRING(handle_show(session, "comm", 141),
                 "name: evens\nflags: 0x4\nrank: 0 of 2\n"
                 "handles: 141 141 group 202\nerrhandler: 120\n"
                 "local: 2 0\nindex: 1 2\nedges: 1 0\n"
                 "requests: 2, 2 receives\n");
    CHECK_STRING(handle_show(session, "comm", 142),
                 "name: \nflags: 0x10\nrank: 0 of 2\n"
                 "handles: 142 142 group 203\nerrhandler: 119\n"
                 "local: 2 0\nremote: 3 1\nrequests: 2, 1 receives\n");
    CHECK_CONTAINS(handle_show(session, "comm", 0),
                   "name: MPI_COMM_NULL\nflags: 0x81\n");
    CHECK_INT(handle_status(session, "comm", 9999), MPIDBG_ERR_NOT_FOUND);
    CHECK_INT(handle_status(session, "comm", 150), MPIDBG_ERR_NOT_FOUND);
    CHECK_INT(handle_status(session, "comm", 1 << 20),
              MPIDBG_ERR_OUT_OF_RANGE);
    CHECK_STRING(handle_show(session, "list", 0),
                 "142 141 0 140 0 92 0 91 0\n");
}

static void test_datatypes(struct fixture *f)
{
    struct handle_session *session = &f->session;

    CHECK_STRING(handle_show(session, "datatype", 150),
                 "name: \nflags: 0x2\nkind: 3\nhandle: 150\nsize: 3200\n"
                 "extent: 50720\nbounds: 0 50720\ncount: 100\n"
                 "stride: 512\nblock: 4\ninner: 1\n"
                 "words: vector of 100 blocks of 4 double, stride 512 "
                 "bytes\n");
    CHECK_STRING(handle_show(session, "datatype", 152),
                 "name: \nflags: 0x2\nkind: 6\nhandle: 152\nsize: 15\n"
                 "extent: 67\nbounds: 0 67\ncount: 2\nstride: 0\nblock: 0\n"
                 "blocks: 1 3\ndisplacement 0: 8\ndisplacement 1: 64\n"
                 "inner: 2\n"
                 "words: struct of 2 blocks: 1 (indexed, 2 blocks of int: "
                 "2 at byte 0, 1 at 32) at byte 8, 3 char at 64\n");
    CHECK_CONTAINS(handle_show(session, "datatype", 153),
                   "words: contiguous, 3 (vector of 100 blocks of 4 double, "
                   "stride 512 bytes)\n");
    CHECK_CONTAINS(handle_show(session, "datatype", 11),
                   "name: MPI_DOUBLE\nflags: 0x7\nkind: 0\n");
    CHECK_CONTAINS(session->text, "size: 8\n");
    CHECK_CONTAINS(session->text, "words: double\n");
    CHECK_CONTAINS(handle_show(session, "datatype", 26),
                   "name: MPI_REAL\nflags: 0x1\n");
    CHECK_CONTAINS(handle_show(session, "datatype", 0),
                   "name: MPI_DATATYPE_NULL\nflags: 0x81\n");
    CHECK_CONTAINS(handle_show(session, "object", (mqs_taddr_t)f->s.indexed),
                   "handle: 151\n");
    CHECK_INT(handle_status(session, "datatype", 170), MPIDBG_ERR_NOT_FOUND);
}

static void test_requests(struct fixture *f)
{
    struct handle_session *session = &f->session;

    CHECK_STRING(handle_show(session, "request",
                             (mqs_taddr_t)f->s.persistent_receive),
                 "kind: receive\nflags: 0x104\nfortran: 1100\npeer: 1\n"
                 "tag: 77\ncount: 2\nbytes: 6400\nbuffer: 0x70000\n"
                 "comm: 140\ndatatype: 150 vector of 100 blocks of 4 double, "
                 "stride 512 bytes\n");
    CHECK_STRING(handle_show(session, "request",
                             (mqs_taddr_t)f->s.persistent_send),
                 "kind: send\nflags: 0x10e\nfortran: 1101\npeer: 3\n"
                 "tag: 78\ncount: 10\nbytes: 40\nbuffer: 0x71000\n"
                 "comm: 91\ndatatype: 6 int\n"
                 "status: source 0 tag 0 bytes 0\n");
    CHECK_CONTAINS(handle_show(session, "request",
                               (mqs_taddr_t)f->s.derived_receive),
                   "kind: receive\nflags: 0x102\nfortran: 0\npeer: 3\n"
                   "tag: 99\n");
    CHECK_CONTAINS(session->text, "bytes: 3200\n");
    CHECK_CONTAINS(session->text, "comm: 91\ndatatype: 150 vector of");
    CHECK_CONTAINS(handle_show(session, "request", 0), "kind: null\n");
    CHECK_CONTAINS(handle_show(session, "request", 16), "cannot be read");
    CHECK_STRING(handle_convert(session, "mpidbg_request_f2c", 9999),
                 "error: Nothing was found for the handle: it was never given "
                 "or was freed, or the debugger does not see MPICH's table of "
                 "handles, the static variable PtrBlocks and the type "
                 "PtrToIdx\n");
}

/* Whatever is posted or sent can be asked about; what its kind is, is told. */
static void test_queues(struct fixture *f)
{
    struct handle_session *session = &f->session;
    struct sim *sim = f->s.base.sim;
    uint64_t send = sim_add_operation(sim, &(struct sim_operation){
        .queue = mq_sends, .communicator = f->s.base.evens, .peer = 1,
        .tag = 12, .length = 56, .buffer = 0x7a000 });
    uint64_t any = sim_add_operation(sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = f->s.base.evens,
        .peer = SIM_ANY, .tag = SIM_ANY, .length = 56, .buffer = 0x7b000 });

    CHECK_CONTAINS(handle_show(session, "request", (mqs_taddr_t)
                               sim_handle(sim, mq_sends, send)),
                   "kind: send\nflags: 0x102\nfortran: 0\npeer: 1\ntag: 12\n"
                   "count: -1\nbytes: 56\nbuffer: 0x7a000\ncomm: 141\n");
    CHECK_CONTAINS(handle_show(session, "request", (mqs_taddr_t)
                               sim_handle(sim, mq_receives, any)),
                   "kind: receive\nflags: 0x162\nfortran: 0\npeer: -2\n"
                   "tag: -1\n");
    CHECK_CONTAINS(session->text, "comm: 141\n");
}

static void test_others(struct fixture *f)
{
    struct handle_session *session = &f->session;

    CHECK_STRING(handle_show(session, "group", 202),
                 "name: \nflags: 0x0\nrank: 0\nranks: 2 0\n");
    CHECK_CONTAINS(handle_show(session, "group", 0),
                   "name: MPI_GROUP_NULL\nflags: 0x81\n");
    CHECK_STRING(handle_show(session, "errhandler", 160),
                 "name: \nflags: 0x12\nfunction: 0x4000\nreferences: 3\n");
    CHECK_CONTAINS(handle_show(session, "errhandler", 119),
                   "name: MPI_ERRORS_ARE_FATAL\nflags: 0x3\n");
    CHECK_STRING(handle_show(session, "op", 170),
                 "name: \nflags: 0x0\nfunction: 0x5000\ncommutes: 1\n");
    CHECK_CONTAINS(handle_show(session, "op", 102), "name: MPI_SUM\n");
    CHECK_STRING(handle_convert(session, "mpidbg_comm_f2c", 140), "140");
    CHECK_STRING(handle_convert(session, "mpidbg_datatype_f2c",
                                0xffffffff0000000b), "11");
}

static void test_shape(const struct sim_shape *shape,
                       const struct sim_layout *layout)
{
    static const struct {
        const char *name;
        void (*run)(struct fixture *);
    } cases[] = {
        { "communicators", test_communicators },
        { "datatypes", test_datatypes },
        { "requests", test_requests },
        { "queues", test_queues },
        { "others", test_others }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;

        test("%s, %s: %s", shape->name, layout->name, cases[i].name);
        open_fixture(&f, shape, layout);
        CHECK_INT(f.session.status, MPIDBG_SUCCESS);
        cases[i].run(&f);
        close_fixture(&f);
    }
}

/* Layouts in which everything above holds.  MPICH takes a request for what it
 * is by members that all kinds begin with, which no reversed struct can have.
 */
static int tells_all(const struct sim_layout *layout)
{
    static const char *const lacking[] = {
        "no cookies", "no start", "no MPIR_Sendq", "no send types",
        "the debugger does not know MPIR_SHANDLE"
    };

    for (size_t i = 0; i < sizeof lacking / sizeof lacking[0]; i++)
        if (strcmp(layout->name, lacking[i]) == 0)
            return 0;
    return !layout->reversed;
}

int main(void)
{
    for (size_t i = 0; i < sim_shape_count; i++)
        for (size_t k = 0; k < sim_layout_count; k++)
            if (tells_all(&sim_layouts[k]))
                test_shape(&sim_shapes[i], &sim_layouts[k]);
    return tests_end();
}
