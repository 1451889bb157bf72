/* rules.h - what a message-queue DLL has to keep to
 *
 * A rule's number is its place in the table, from 1 on, and never changes: new
 * rules are added at the end.  The references are to
 *   Dumping    "MPI Message Queue Dumping", version 1.03, by section
 *   Tools      "Tools and Debugging Interfaces to MPI", version 1.0, by number
 *   mpi_interface.h    by the declaration that the comment stands above
 */
#ifndef MQCHECK_RULES_H
#define MQCHECK_RULES_H

/* RULE(name, sentence, reference) */
#define MQCHECK_RULES(RULE)                                                    \
    RULE(loads, "The library loads with all that it needs",                    \
         "Dumping: Startup")                                                   \
    RULE(entry_points, "Every required entry point is exported",               \
         "Dumping: Startup calls in the DLL")                                  \
    RULE(extra_exports, "Nothing is exported but entry points, and names "     \
         "with a vendor's prefix Mqs_",                                        \
         "Dumping: Miscellaneous issues")                                      \
    RULE(version, "mqs_version_compatibility answers the interface's version", \
         "Dumping: Startup calls in the DLL; Tools: 6.9.3")                    \
    RULE(width, "mqs_dll_taddr_width answers the size of the debugger's "      \
         "mqs_taddr_t",                                                        \
         "Tools: 6.9.4")                                                       \
    RULE(version_string, "mqs_version_string answers a printable text, before "\
         "and after the callbacks are set up",                                 \
         "Dumping: Startup calls in the DLL; Tools: 6.9.2")                    \
    RULE(error_string, "mqs_dll_error_string answers a sentence for any code", \
         "Dumping: Startup calls in the DLL; Tools: 6.9.5")                    \
    RULE(own_store, "Memory is allocated with mqs_malloc only",                \
         "Dumping: Store allocation; Tools: 6.8.1")                            \
    RULE(leak, "Every block is given back when processes and images are "      \
         "destroyed",                                                          \
         "Dumping: Shutdown; Tools: 6.10.3, 6.11.3")                           \
    RULE(overrun, "Nothing is written or read into memory outside of the "     \
         "blocks that were allocated, or after they were given back",          \
         "Dumping: Store allocation; mpi_interface.h: mqs_malloc_ft")          \
    RULE(free, "mqs_free gets blocks that mqs_malloc gave, each once",         \
         "Tools: 6.8.1; mpi_interface.h: mqs_malloc_ft")                       \
    RULE(no_store, "When mqs_malloc answers null, the caller gets an error "   \
         "and no wrong answers",                                               \
         "Dumping: Startup calls in the DLL; mpi_interface.h: mqs_malloc_ft")  \
    RULE(output, "Nothing is written to the debugger's stdout and stderr",     \
         "mpi_interface.h: mqs_dprints_ft")                                    \
    RULE(arguments, "Callbacks get arguments that exist: images, processes, "  \
         "types, names, lengths and places for results",                       \
         "Tools: 6.8")                                                         \
    RULE(own_table, "An image and a process are asked by way of the table "    \
         "that came with them",                                                \
         "Tools: 6.10.1, 6.11.1")                                              \
    RULE(stale_table, "No table is used after its image or process was "       \
         "destroyed",                                                          \
         "Tools: 6.10.3, 6.11.3; mpi_interface.h: mqs_image_callbacks")        \
    RULE(codes, "Entry points answer mqs_ok, mqs_no_information, "             \
         "mqs_end_of_list, or a code from mqs_first_user_code on",             \
         "Dumping: Queue display; Tools: 6.6.5")                               \
    RULE(host_codes, "An error of the debugger's does not leave the DLL as if "\
         "it were its own",                                                    \
         "mpi_interface.h: mqs_first_user_code")                               \
    RULE(message_format, "A message is null or a format with at most one "     \
         "conversion, a %s",                                                   \
         "Dumping: Startup calls in the DLL")                                  \
    RULE(message_written, "The has_queues functions always set the message",   \
         "mpi_interface.h: mqs_image_has_queues")                              \
    RULE(communicator_written, "Every field of a mqs_communicator is written", \
         "Dumping: Queue display; Tools: 6.7.1")                               \
    RULE(group_written, "mqs_get_comm_group writes one rank for each of the "  \
         "communicator's size, and no more",                                   \
         "Tools: 6.12.4")                                                      \
    RULE(operation_written, "Every field of a mqs_pending_operation that has " \
         "a meaning is written",                                               \
         "Dumping: Queue display; Tools: 6.7.2")                               \
    RULE(terminated, "Names and the lines of extra_text are terminated",       \
         "Dumping: Queue display; Tools: 6.7")                                 \
    RULE(nothing_written, "Nothing is returned in the operation unless "       \
         "mqs_next_operation answers mqs_ok",                                  \
         "Dumping: Queue display")                                             \
    RULE(values, "Statuses, sizes and ranks are ones that exist, and a "       \
         "global rank is the group's for the local rank",                      \
         "Dumping: Queue display; Tools: 6.7.2")                               \
    RULE(past_the_end, "Past the end, next does not answer mqs_ok again, and " \
         "there is nothing to get",                                            \
         "Dumping: Queue display")                                             \
    RULE(order, "What cannot be answered in this state is refused: queues "    \
         "without a current communicator, unknown queues",                     \
         "Dumping: Queue display; Tools: 6.12.6")                              \
    RULE(no_queues, "An image that has none of the library's types and "       \
         "symbols is refused",                                                 \
         "Dumping: Startup calls in the DLL; Tools: 6.10.2")                   \
    RULE(failed_read, "A read that failed is an error, never an empty queue "  \
         "and never a zero",                                                   \
         "mpi_interface.h: mqs_fetch_data_ft")                                 \
    RULE(recovery, "When the fault is over, the next refresh shows all again", \
         "Tools: 6.12.1; mpi_interface.h: mqs_update_communicator_list")       \
    RULE(refresh, "A refresh shows the process as it is now",                  \
         "Dumping: Queue display; Tools: 6.12.1")                              \
    RULE(repeat, "A process that has not changed is shown the same twice",     \
         "Tools: 6.12")                                                        \
    RULE(shared_state, "Processes do not disturb each other",                  \
         "Tools: 6.12")                                                        \
    RULE(target, "What is shown does not depend on the target's word size and "\
         "byte order",                                                         \
         "Tools: 6.8.3")                                                       \
    RULE(truth, "What is shown is what the process holds",                     \
         "Dumping: Queue display; Tools: 6.7")                                 \
    RULE(hang, "Every call comes back, and every list ends",                   \
         "Dumping: Miscellaneous issues")                                      \
    RULE(crash, "No call brings the debugger down",                            \
         "Dumping: Miscellaneous issues")

enum rule {
    rule_none,
#define RULE(name, sentence, reference) rule_##name,
    MQCHECK_RULES(RULE)
#undef RULE
    rule_count
};

struct rule_facts {
    const char *name, *sentence, *reference;
};

/* By number; the first is empty. */
extern const struct rule_facts rules[rule_count];

#endif
