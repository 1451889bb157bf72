/* entry_call.c - monitored calls into the DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/entry_call.h"

#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/guarded_heap.h"
#include "mqcheck/host/heap.h"
#include "mqcheck/host/mock_host.h"

char *call_under_way;

/* In memory that child and parent share. */
static struct shared {
    volatile unsigned long calls;
    char name[64];
} *shared;

static struct {
    int output;                 /* where stdout and stderr lead, or -1 */
    off_t shown;                /* bytes of it that were reported */
    long heap;                  /* in use when the call began */
} watch = { -1, 0, 0 };

void calls_prepare(void)
{
    shared = shared_allocate(sizeof *shared);
    call_under_way = shared->name;
}

unsigned long calls_made(void)
{
    return shared->calls;
}

void calls_watch_output(void)
{
    static char buffers[2][BUFSIZ];
    FILE *file = tmpfile();

    if (file == NULL)
        give_up("no temporary file can be made");
    watch.output = fileno(file);
    setvbuf(stdout, buffers[0], _IOFBF, sizeof buffers[0]);
    setvbuf(stderr, buffers[1], _IOFBF, sizeof buffers[1]);
    if (dup2(watch.output, STDOUT_FILENO) < 0
        || dup2(watch.output, STDERR_FILENO) < 0)
        give_up("the output cannot be redirected");
}

/* Looks at what was written since the last time. */
static void inspect_output(void)
{
    char text[80];
    off_t end;
    ssize_t length;

    tested(rule_output);
    fflush(stdout);
    fflush(stderr);
    end = lseek(watch.output, 0, SEEK_END);
    if (end == watch.shown)
        return;
    length = pread(watch.output, text, sizeof text - 1, watch.shown);
    text[length > 0 ? length : 0] = '\0';
    watch.shown = end;
    broken(rule_output, "%s wrote \"%s\"", call_under_way, text);
}

void enter(const char *entry_point)
{
    snprintf(shared->name, sizeof shared->name, "%s", entry_point);
    shared->calls++;
    mock_heap_growth();
    watch.heap = heap_in_use();
}

void leave_loader(void)
{
    inspect_output();
}

void leave(void)
{
    long growth = heap_in_use() - watch.heap - mock_heap_growth();

    keeps(rule_own_store, growth <= 0, "%s left %ld bytes allocated in libc's "
          "heap", call_under_way, growth);
    inspect_output();
    store_inspect(call_under_way);
}

int is_error(int code)
{
    return code >= mqs_first_user_code;
}

int leave_code(int code)
{
    leave();
    keeps(rule_codes, code == mqs_ok || code == mqs_no_information
          || code == mqs_end_of_list || is_error(code),
          "%s answered %d", call_under_way, code);
    keeps(rule_host_codes, code != HOST_CANNOT_READ, "%s answered %d, which is "
          "the debugger's error", call_under_way, code);
    return code;
}
