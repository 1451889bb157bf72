/* rules.h - rules for message-queue and handle DLLs
 *
 * A rule's number is its place in the table, from 1 on, and never changes: new
 * rules are added at the end.  The references are to
 *   Dumping    "MPI Message Queue Dumping", version 1.03, by section
 *   Tools      "Tools and Debugging Interfaces to MPI", version 1.0, by number
 *   mpi_interface.h, mpi_handles_interface.h
 *                      by the declaration below the comment
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_RULES_H
#define MQCHECK_RULES_H

/* RULE(name, DLLs, sentence, reference) */
#define MQCHECK_RULES(RULE)                                                    \
    RULE(loads, ANY,                                                           \
         "The library loads, with all libraries that it needs",                \
         "Dumping: Startup")                                                   \
    RULE(entry_points, ANY,                                                    \
         "Every required entry point is exported",                             \
         "Dumping: Startup calls in the DLL")                                  \
    RULE(extra_exports, ANY,                                                   \
         "Nothing is exported but entry points, and names "                    \
         "with a vendor's prefix Mqs_",                                        \
         "Dumping: Miscellaneous issues")                                      \
    RULE(version, QUEUES,                                                      \
         "mqs_version_compatibility returns the interface's version",          \
         "Dumping: Startup calls in the DLL; Tools: 6.9.3")                    \
    RULE(width, QUEUES,                                                        \
         "mqs_dll_taddr_width returns the size of the debugger's mqs_taddr_t", \
         "Tools: 6.9.4")                                                       \
    RULE(version_string, QUEUES,                                               \
         "mqs_version_string returns a printable text, before and after the "  \
         "callbacks are set up",                                               \
         "Dumping: Startup calls in the DLL; Tools: 6.9.2")                    \
    RULE(error_string, QUEUES,                                                 \
         "mqs_dll_error_string returns a sentence for any code",               \
         "Dumping: Startup calls in the DLL; Tools: 6.9.5")                    \
    RULE(own_store, ANY,                                                       \
         "Memory is allocated with mqs_malloc only",                           \
         "Dumping: Store allocation; Tools: 6.8.1")                            \
    RULE(leak, ANY,                                                            \
         "Every block is freed when processes and images are destroyed",       \
         "Dumping: Shutdown; Tools: 6.10.3, 6.11.3")                           \
    RULE(overrun, ANY,                                                         \
         "Nothing is written or read into memory outside of the blocks that "  \
         "were allocated, or after they were freed",                           \
         "Dumping: Store allocation; mpi_interface.h: mqs_malloc_ft")          \
    RULE(free, ANY,                                                            \
         "mqs_free gets blocks that mqs_malloc gave, each once",               \
         "Tools: 6.8.1; mpi_interface.h: mqs_malloc_ft")                       \
    RULE(no_store, ANY,                                                        \
         "When mqs_malloc returns null, the caller gets an error and no "      \
         "wrong results",                                                      \
         "Dumping: Startup calls in the DLL; mpi_interface.h: mqs_malloc_ft")  \
    RULE(output, ANY,                                                          \
         "Nothing is written to the debugger's stdout and stderr",             \
         "mpi_interface.h: mqs_dprints_ft")                                    \
    RULE(arguments, ANY,                                                       \
         "Callbacks get arguments that exist: images, processes, "             \
         "types, names, lengths and places for results",                       \
         "Tools: 6.8")                                                         \
    RULE(own_table, ANY,                                                       \
         "An image and a process are asked by way of the table "               \
         "that came with them",                                                \
         "Tools: 6.10.1, 6.11.1")                                              \
    RULE(stale_table, ANY,                                                     \
         "No table is used after its image or process was "                    \
         "destroyed",                                                          \
         "Tools: 6.10.3, 6.11.3; mpi_interface.h: mqs_image_callbacks")        \
    RULE(codes, QUEUES,                                                        \
         "Entry points return mqs_ok, mqs_no_information, mqs_end_of_list, "   \
         "or a code from mqs_first_user_code on",                              \
         "Dumping: Queue display; Tools: 6.6.5")                               \
    RULE(host_codes, ANY,                                                      \
         "An error code of the debugger does not leave the DLL as if it were " \
         "its own",                                                            \
         "mpi_interface.h: mqs_first_user_code")                               \
    RULE(message_format, QUEUES,                                               \
         "A message is null or a format with at most one "                     \
         "conversion, a %s",                                                   \
         "Dumping: Startup calls in the DLL")                                  \
    RULE(message_written, QUEUES,                                              \
         "The has_queues functions always set the message",                    \
         "mpi_interface.h: mqs_image_has_queues")                              \
    RULE(communicator_written, QUEUES,                                         \
         "Every field of a mqs_communicator is written",                       \
         "Dumping: Queue display; Tools: 6.7.1")                               \
    RULE(group_written, QUEUES,                                                \
         "mqs_get_comm_group writes one rank for each of the "                 \
         "communicator's size, and no more",                                   \
         "Tools: 6.12.4")                                                      \
    RULE(operation_written, QUEUES,                                            \
         "Every field of a mqs_pending_operation that has "                    \
         "a meaning is written",                                               \
         "Dumping: Queue display; Tools: 6.7.2")                               \
    RULE(terminated, QUEUES,                                                   \
         "Names and the lines of extra_text are terminated",                   \
         "Dumping: Queue display; Tools: 6.7")                                 \
    RULE(nothing_written, QUEUES,                                              \
         "Nothing is returned in the operation unless mqs_next_operation "     \
         "returns mqs_ok",                                                     \
         "Dumping: Queue display")                                             \
    RULE(values, QUEUES,                                                       \
         "Statuses, sizes and ranks are ones that exist, a global rank is "    \
         "the group's for the local rank, and no two communicators have "      \
         "one unique_id",                                                      \
         "Dumping: Queue display; Tools: 6.7.2")                               \
    RULE(past_the_end, QUEUES,                                                 \
         "Past the end, next does not return mqs_ok again, and the getters "   \
         "fail",                                                               \
         "Dumping: Queue display")                                             \
    RULE(order, QUEUES,                                                        \
         "Calls that are invalid in the current state fail: queues without a " \
         "current communicator, unknown queues",                               \
         "Dumping: Queue display; Tools: 6.12.6")                              \
    RULE(no_queues, ANY,                                                       \
         "An image that has none of the library's types and "                  \
         "symbols is refused",                                                 \
         "Dumping: Startup calls in the DLL; Tools: 6.10.2")                   \
    RULE(failed_read, ANY,                                                     \
         "A read that failed is an error, never an empty queue "               \
         "and never a zero",                                                   \
         "mpi_interface.h: mqs_fetch_data_ft")                                 \
    RULE(recovery, ANY,                                                        \
         "When the fault is over, the next refresh shows everything again",    \
         "Tools: 6.12.1; mpi_interface.h: mqs_update_communicator_list")       \
    RULE(refresh, ANY,                                                         \
         "A refresh shows the process as it is now",                           \
         "Dumping: Queue display; Tools: 6.12.1")                              \
    RULE(repeat, ANY,                                                          \
         "A process that has not changed is shown the same twice",             \
         "Tools: 6.12")                                                        \
    RULE(shared_state, ANY,                                                    \
         "Processes do not disturb each other",                                \
         "Tools: 6.12")                                                        \
    RULE(target, QUEUES,                                                       \
         "Results do not depend on the target's word size and byte order",     \
         "Tools: 6.8.3")                                                       \
    RULE(truth, ANY,                                                           \
         "Results match the process",                                          \
         "Dumping: Queue display; Tools: 6.7")                                 \
    RULE(hang, ANY,                                                            \
         "Every call returns, and every list ends",                            \
         "Dumping: Miscellaneous issues")                                      \
    RULE(crash, ANY,                                                           \
         "No call crashes the debugger",                                       \
         "Dumping: Miscellaneous issues")                                      \
    RULE(handle_version, HANDLES,                                              \
         "mpidbg_interface_version_compatibility returns an existing "         \
         "version, 1 or 2",                                                    \
         "mpi_handles_interface.h: MPIDBG_INTERFACE_VERSION")                  \
    RULE(handle_width, HANDLES,                                                \
         "mpidbg_dll_taddr_width returns the size of the debugger's "          \
         "mqs_taddr_t",                                                        \
         "mpi_handles_interface.h: mpidbg_dll_taddr_width")                    \
    RULE(handle_text, HANDLES,                                                 \
         "mpidbg_version_string returns a printable text",                     \
         "mpi_handles_interface.h: mpidbg_version_string")                     \
    RULE(handle_sentence, HANDLES,                                             \
         "mpidbg_error_string returns a sentence for any code",                \
         "mpi_handles_interface.h: mpidbg_error_string")                       \
    RULE(handle_codes, HANDLES,                                                \
         "Entry points return a code of the interface, or one from "           \
         "mqs_first_user_code on",                                             \
         "mpi_handles_interface.h: MPIDBG_SUCCESS")                            \
    RULE(handle_untouched, HANDLES,                                            \
         "Something is returned with MPIDBG_SUCCESS, and nothing with any "    \
         "other code",                                                         \
         "mpi_handles_interface.h: mpidbg_release")                            \
    RULE(handle_unknown, HANDLES,                                              \
         "Invalid handles are refused",                                        \
         "mpi_handles_interface.h: MPIDBG_ERR_NOT_FOUND")                      \
    RULE(handle_early, HANDLES,                                                \
         "Calls before image and process are set up fail",                     \
         "mpi_handles_interface.h: MPIDBG_ERR_UNAVAILABLE")                    \
    RULE(handle_maps, HANDLES,                                                 \
         "Maps of names end, and name handles of MPI",                         \
         "mpi_handles_interface.h: mpidbg_name_map_t")                         \
    RULE(handle_blocks, HANDLES,                                               \
         "Arrays of a description have as many elements as its counts",        \
         "mpi_handles_interface.h: mpidbg_release")                            \
    RULE(handle_terminated, HANDLES,                                           \
         "Names and words of descriptions are terminated",                     \
         "mpi_handles_interface.h: MPIDBG_MAX_OBJECT_NAME")

enum rule {
    rule_none,
#define RULE(name, dlls, sentence, reference) rule_##name,
    MQCHECK_RULES(RULE)
#undef RULE
    rule_count
};

/* Which DLLs a rule is for. */
enum dlls {
    dlls_QUEUES = 1,
    dlls_HANDLES = 2,
    dlls_ANY = 3
};

struct rule_facts {
    const char *name;
    enum dlls dlls;
    const char *sentence, *reference;
};

/* By number; the first is empty. */
extern const struct rule_facts rules[rule_count];

#endif
