/* gdb_link.h - a gdb, and the conversation with the script in it
 *
 * The script is mqdump.py.  It says who it is and then answers requests, one
 * at a time, over a stream socket, in lines of ASCII whose words are separated
 * by single spaces:
 *
 *     mqdump-gdb 4 GDBVERSION        first of all, from the script
 *
 *     NUMBER INFERIOR VERB [WORD...] a request; numbers count from 1, and
 *                                    INFERIOR is gdb's own number of the
 *                                    process that it is about, or 0
 *     NUMBER ok [WORD...]            its answer
 *     NUMBER absent                  there is no such thing
 *     NUMBER failed SENTENCE         gdb says why not
 *
 * Text is one word as in word.h.  Addresses are 0x hex, sizes and other
 * numbers decimal, memory is plain hex in the target's order.
 *
 *     request                        words of the answer
 *
 *   to any gdb:
 *     inferiors                      for each process NUMBER:PID, with a '*'
 *                                    behind that which the user looks at
 *     kind                           process, if it runs on this host, or
 *                                    foreign
 *     describe                       little|big, the sizes of short, int,
 *                                    long, long long and pointer, PROGRAM
 *     stack                          where the main thread is and each that is
 *                                    inside MPI, and of those outside it that
 *                                    may call it the innermost frame: the words
 *                                    of stack.h
 *     mark                           ADDRESS that the MPI call of the main
 *                                    thread returns to, 0x0 for none, and
 *                                    NAME=VALUE of registers as they are there
 *     strangers                      the same of each other thread that is
 *                                    inside MPI, with returns=ADDRESS, or may
 *                                    call it: its registers
 *     site ADDRESS                   where the program made the call that
 *                                    returns to ADDRESS: the words of a frame
 *                                    of stack.h
 *     symbol NAME                    data|function ADDRESS
 *     type NAME                      SIZE, then NAME:OFFSET:SIZE for each
 *                                    member, members of unnamed parts included
 *     read ADDRESS LENGTH            HEX, all of it
 *     write ADDRESS HEX
 *
 *   to a gdb that was started for this only:
 *     add                            INFERIOR, for one more process
 *     load PROGRAM TYPES             reads symbols; TYPES is an object file
 *                                    that only describes types; each is the
 *                                    word "file", and - for neither
 *     attach PID
 *     core file
 *     remote HOST:PORT
 *     follow                         from now on the process stops when it
 *                                    executes another program, and not for
 *                                    signals but SIGINT, which it never gets
 *     run FUNCTION...                lets all processes run until one enters
 *                                    one of the functions or stops of itself:
 *                                    its number, and breakpoint NAME, exec,
 *                                    signal NAME, exited CODE, or stopped
 *     detach                         lets go of the process
 *
 * A file is a descriptor that comes with the request (SCM_RIGHTS), one for each
 * word "file" in their order: a file's name is anybody's choice and must not
 * become a part of a gdb command, and gdb can open what mqdump may.
 *
 * When the socket closes, a gdb that was started lets go of all processes and
 * ends.  The script's side is not trusted: whatever it says that is not such an
 * answer breaks the link, and so does silence.  A broken link stays broken, and
 * its gdb is killed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GDB_LINK_H
#define MQ_GDB_LINK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "process/owner.h"

/* How long gdb may be silent, in seconds, and how long it may work on a request
 * while a process is held.  That it waits for a processor or the disk does not
 * count, so that a loaded machine takes longer and nothing else.
 */
#define MQ_GDB_PATIENCE 8

/* How long it may work on a request that takes its time, in seconds: reading
 * the symbols of the largest programs takes a minute or two.
 */
#define MQ_GDB_LIMIT 900

struct mq_gdb_link;

struct mq_gdb_setup {
    const char *program;        /* the gdb to start; null for "gdb" */
    const char *script;         /* the path of mqdump.py */
    int limit;                  /* seconds that it may work on one request;
                                   0 for MQ_GDB_LIMIT */
    const volatile sig_atomic_t *interrupted;   /* nonzero ends all waiting;
                                                   may be null */
    bool has_debuginfod;        /* what the servers of DEBUGINFOD_URLS know of
                                   an MPI library has been fetched already */
};

/* Starts a gdb that answers.  It is a child of this process, in a session of
 * its own, and ends with this process.
 */
enum mq_result mq_gdb_link_start(const struct mq_gdb_setup *, struct mq_error *,
                                 struct mq_gdb_link **link);

/* Takes the socket of a gdb that runs already and owns it from then on. */
enum mq_result mq_gdb_link_adopt(int socket,
                                 const volatile sig_atomic_t *interrupted,
                                 struct mq_error *, struct mq_gdb_link **link);

/* Closes the link.  A gdb that was started has let go of its processes and has
 * ended when this returns; those that are held go on even if it had to be
 * killed.  LINK may be null.
 */
void mq_gdb_link_close(struct mq_gdb_link *link);

/* Notes that gdb stops a process, or has let go of process PID: a gdb that is
 * killed leaves a process with the stop signal that it had sent.
 */
enum mq_result mq_gdb_link_hold(struct mq_gdb_link *, const struct mq_owner *,
                                struct mq_error *);
void mq_gdb_link_let_go(struct mq_gdb_link *, int pid);

/* Sends FILE, which stays the caller's, along with the next request. */
void mq_gdb_link_pass(struct mq_gdb_link *, int file);

/* Sends a request about an INFERIOR, without numbers and newline, and returns
 * what the answer is: mq_ok and its words, which live until the next request,
 * mq_absent, or mq_failed with gdb's sentence or that of the broken link.
 */
enum mq_result mq_gdb_link_ask(struct mq_gdb_link *, int inferior,
                               struct mq_error *, char **words,
                               const char *format, ...) MQ_PRINTF(5, 6);

/* The same for what takes gdb its time while no process is held: it may do so
 * as long as it works, up to the limit of its setup.
 */
enum mq_result mq_gdb_link_ask_patiently(struct mq_gdb_link *, int inferior,
                                         struct mq_error *, char **words,
                                         const char *format, ...) MQ_PRINTF(5,
                                         6);

/* The same for what lets the process run, answered when it stops.  After so
 * many SECONDS (none if negative) or an interruption gdb is told to stop it.
 */
enum mq_result mq_gdb_link_run(struct mq_gdb_link *, int inferior, int seconds,
                               struct mq_error *, char **words,
                               const char *format, ...) MQ_PRINTF(6, 7);

/* Whether the link is broken, and why. */
bool mq_gdb_link_is_broken(const struct mq_gdb_link *, struct mq_error *why);

/* The requests that were sent so far. */
uint64_t mq_gdb_link_requests(const struct mq_gdb_link *);

#endif
