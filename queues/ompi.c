/* ompi.c - libtvompi: messages of Open MPI's pml ob1 and cm */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "queues/errors.h"
#include "queues/library.h"
#include "queues/openmpi.h"

static int check_image(const struct image *image)
{
    return image_find(image, "ompi_mpi_communicators") != 0
           && image_find(image, "mca_pml_base_recv_requests") != 0
           ? mqs_ok : err_silent;
}

static int find(struct view *view, const char **message)
{
    const struct openmpi_version *version = NULL;
    int status = openmpi_version(view, &version);

    *message = NULL;
    if (status == mqs_ok)
        status = openmpi_communicators(view, version);
    if (status == mqs_ok && view->found.communicator_count > 0)
        status = ob1_messages(view, version);
    return status == err_other_matching ? cm_messages(view, version) : status;
}

const struct library library = {
    "Message queues of Open MPI's own matching, ob1, and of libfabric, DLL "
    "version 1.0",
    check_image, find, NULL, openmpi_members
};
