/* dll_cache.h - loaded DLLs and their open images
 *
 * The processes of a job mostly share an image, and so a DLL.  A DLL sets up an
 * image that several processes share once, and that of one process once for all
 * looks at it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DLL_CACHE_H
#define MQ_DLL_CACHE_H

#include "dll/choice.h"
#include "dll/walk.h"

/* All zero is an empty one. */
struct mq_dll_cache {
    size_t choice_count, choice_room;
    struct mq_dll_chosen {
        struct mq_dll *dll;     /* that was chosen */
        char *image;            /* for this image */
        char *asked;            /* when this file was asked for, or null */
    } *choices;
    size_t image_count, image_room;
    struct mq_dll_open {
        mqs_image *image;
        const struct mq_dll *dll;
        int pid;                /* of the process it was opened for, or 0; of
                                   each there is one */
    } *images;
    struct mq_dll_choice latest;        /* by which a DLL was chosen */
    bool has_readers;           /* those that there are were loaded: */
    size_t reader_count;
    struct mq_dll *readers[mq_dll_most_readers];
};

/* Chooses a DLL for TARGET, or gives the one that was chosen for another target
 * of the same image.  It is the cache's.
 */
enum mq_result mq_dll_cache_choose(struct mq_dll_cache *,
                                   const struct mq_dll_choice *,
                                   struct mq_target *target, struct mq_error *,
                                   struct mq_dll **dll);

/* Loads this program's own readers, once, for a process whose last chosen
 * DLL shows nothing; none if the user has named that DLL.
 */
void mq_dll_cache_load_readers(struct mq_dll_cache *);

/* The image of TARGET, open in DLL of the cache; it is the cache's, and TARGET
 * must live as long as it is used for it.  Answers as mq_dll_image_create.
 */
enum mq_result mq_dll_cache_open(struct mq_dll_cache *, struct mq_dll *dll,
                                 struct mq_target *target, struct mq_error *,
                                 mqs_image **image);

/* Closes the images: the next reading asks for all that it needs, also for what
 * a DLL remembers of an image.
 */
void mq_dll_cache_close_images(struct mq_dll_cache *);

/* Closes the images and unloads the DLLs; the cache is empty then. */
void mq_dll_cache_clear(struct mq_dll_cache *);

#endif
