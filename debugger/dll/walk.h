/* walk.h - traversal of a process's queues through a DLL
 *
 * Opens images and processes in a loaded DLL and turns what the DLL says into
 * the plain structs of job.h.  Any number of images, and of processes of each,
 * can be open at a time.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WALK_H
#define MQ_WALK_H

#include "dll/dll.h"
#include "dll/statistics.h"
#include "model/job.h"
#include "target/target.h"

/* Opens the image of TARGET in DLL.  mq_absent if the DLL says without a
 * message that the image holds no queues that it knows; the error is its own
 * sentence then, or empty.  mq_dll_image_note is the DLL's message with the
 * name filled in, or null; it lives as long as the image, and TARGET must
 * outlive the image.
 */
enum mq_result mq_dll_image_create(struct mq_dll *dll, struct mq_target *target,
                                   struct mq_error *, mqs_image **image);
void mq_dll_image_destroy(mqs_image *image);
const char *mq_dll_image_note(const mqs_image *image);

/* The executable that it is of. */
const char *mq_dll_image_name(const mqs_image *image);

/* Whether TARGET is an instance of IMAGE, one of DLL or null: each look-up that
 * the DLL has made has the same answer there.  Then TARGET is what must live
 * on, and the target before may be destroyed.
 */
bool mq_dll_image_adopt(mqs_image *image, const struct mq_dll *dll,
                        struct mq_target *target);

/* The same for the process TARGET, an instance of IMAGE, which must outlive
 * it.
 */
enum mq_result mq_dll_process_create(mqs_image *image, struct mq_target *target,
                                     struct mq_error *, mqs_process **process);
void mq_dll_process_destroy(mqs_process *process);
const char *mq_dll_process_note(const mqs_process *process);

/* Refreshes, walks all communicators, groups and queues, and adds the process
 * to JOB.  Failures become remarks; mq_failed only if nothing at all can be
 * shown, and nothing is added then.
 */
enum mq_result mq_dll_process_walk(mqs_process *process, struct mq_job *job,
                                   struct mq_error *);

/* Cost of the process so far, with the look-ups of its image. */
void mq_dll_process_statistics(const mqs_process *process,
                               struct mq_dll_statistics *statistics);

#endif
