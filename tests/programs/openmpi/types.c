/* types.c - types of Open MPI 4 that its DLL needs
 *
 * Compiled with -g and given to mqdump with --types, this replaces the debug
 * information that a packaged Open MPI lacks.  The headers are those of the
 * library that the job runs with.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/pml/base/pml_base_recvreq.h"
#include "ompi/mca/pml/base/pml_base_request.h"
#include "ompi/mca/pml/base/pml_base_sendreq.h"
#include "ompi/mca/topo/topo.h"
#include "ompi/request/request.h"
#include "opal/class/opal_free_list.h"
#include "opal/class/opal_hash_table.h"
#include "opal/class/opal_list.h"
#include "opal/class/opal_pointer_array.h"
#include "opal/datatype/opal_datatype.h"

/* A compiler describes the types that something is of. */
opal_list_item_t *list_item;
opal_list_t *list;
opal_free_list_item_t *free_list_item;
opal_free_list_t *free_list;
opal_hash_table_t *hash_table;
opal_pointer_array_t *pointer_array;
opal_datatype_t *opal_datatype;
ompi_datatype_t *ompi_datatype;
ompi_request_t *request;
ompi_communicator_t *communicator;
ompi_group_t *group;
ompi_status_public_t *status;
mca_pml_base_request_t *base_request;
mca_pml_base_send_request_t *send_request;
mca_pml_base_recv_request_t *recv_request;
mca_topo_base_module_t *topology;
mca_topo_base_comm_cart_2_2_0_t *cartesian;
mca_topo_base_comm_graph_2_2_0_t *graph;
mca_topo_base_comm_dist_graph_2_2_0_t *distributed_graph;
