/* consult.h - the doctor's round of what a command line names */
#ifndef MQ_CONSULT_H
#define MQ_CONSULT_H

#include "mqdump/output.h"

/* Examines each process that the settings' sources name: shown if no link is
 * broken, else could_not.
 */
enum mq_exit mq_consult(const struct mq_settings *,
                        const struct mq_dll_choice *);

#endif
