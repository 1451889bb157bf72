# mpi_parameters.py - the parameters of the MPI functions in C
#
# In the order of the standard; the rest of a function's line may be missing
# where nothing of it is of interest.  A parameter that an implementation calls
# otherwise is known by its place.  "*x" points to the handle x, "&x" is where a
# result goes, and of "x[n]" each element is told.  What is between the quotes
# is also a table of the library (dwarf/parameters.h).
#
# SPDX-License-Identifier: BSD-2-Clause

PARAMETERS = """
Send Bsend Ssend Rsend: buf count datatype dest tag comm
Isend Ibsend Issend Irsend: buf count datatype dest tag comm &request
Send_init Bsend_init Ssend_init Rsend_init:
 buf count datatype dest tag comm &request
Recv: buf count datatype source tag comm status
Irecv Recv_init: buf count datatype source tag comm &request
Probe: source tag comm status
Iprobe: source tag comm &flag status
Mprobe: source tag comm &message status
Improbe: source tag comm &flag &message status
Mrecv: buf count datatype *message status
Imrecv: buf count datatype *message &request
Sendrecv: sendbuf sendcount sendtype dest sendtag
 recvbuf recvcount recvtype source recvtag comm status
Sendrecv_replace: buf count datatype dest sendtag source recvtag comm status
Wait: *request status
Test: *request &flag status
Request_get_status: request &flag status
Request_free Cancel Start: *request
Waitall: count requests[count] statuses
Testall: count requests[count] &flag statuses
Waitany: count requests[count] &index status
Testany: count requests[count] &index &flag status
Waitsome Testsome: incount requests[incount] &outcount indices statuses
Startall: count requests[count]
Buffer_attach: buffer size
Buffer_detach: buffer &size
Barrier: comm
Bcast: buffer count datatype root comm
Gather Scatter:
 sendbuf sendcount sendtype recvbuf recvcount recvtype root comm
Gatherv:
 sendbuf sendcount sendtype recvbuf recvcounts displs recvtype root comm
Scatterv:
 sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root comm
Allgather Alltoall Neighbor_allgather Neighbor_alltoall:
 sendbuf sendcount sendtype recvbuf recvcount recvtype comm
Allgatherv Neighbor_allgatherv:
 sendbuf sendcount sendtype recvbuf recvcounts displs recvtype comm
Alltoallv Neighbor_alltoallv:
 sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm
Alltoallw Neighbor_alltoallw:
 sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes comm
Reduce: sendbuf recvbuf count datatype op root comm
Allreduce Scan Exscan: sendbuf recvbuf count datatype op comm
Reduce_scatter: sendbuf recvbuf recvcounts datatype op comm
Reduce_scatter_block: sendbuf recvbuf recvcount datatype op comm
Ibarrier: comm &request
Ibcast: buffer count datatype root comm &request
Igather Iscatter:
 sendbuf sendcount sendtype recvbuf recvcount recvtype root comm &request
Iallgather Ialltoall:
 sendbuf sendcount sendtype recvbuf recvcount recvtype comm &request
Ireduce: sendbuf recvbuf count datatype op root comm &request
Iallreduce Iscan Iexscan: sendbuf recvbuf count datatype op comm &request
Comm_dup Comm_idup: comm &newcomm
Comm_dup_with_info: comm info &newcomm
Comm_create: comm group &newcomm
Comm_create_group: comm group tag &newcomm
Comm_split: comm color key &newcomm
Comm_split_type: comm split_type key info &newcomm
Comm_free Comm_disconnect: *comm
Comm_spawn: command argv maxprocs info root comm &intercomm errcodes
Comm_spawn_multiple:
 count commands argvs maxprocs infos root comm &intercomm errcodes
Comm_accept Comm_connect: port_name info root comm &newcomm
Intercomm_create: local_comm local_leader peer_comm remote_leader tag
 &newintercomm
Intercomm_merge: intercomm high &newintracomm
Cart_create: comm ndims dims periods reorder &comm_cart
Cart_sub: comm remain_dims &newcomm
Graph_create: comm nnodes index edges reorder &comm_graph
Dist_graph_create:
 comm n sources degrees destinations weights info reorder &comm_graph
Dist_graph_create_adjacent:
 comm indegree sources sourceweights outdegree destinations destweights
 info reorder &comm_graph
Win_create: base size disp_unit info comm &win
Win_allocate Win_allocate_shared: size disp_unit info comm &baseptr &win
Win_create_dynamic: info comm &win
Win_free: *win
Win_fence: assert win
Win_start Win_post: group assert win
Win_complete Win_wait Win_flush_all Win_flush_local_all Win_unlock_all
 Win_sync: win
Win_test: win &flag
Get Put: origin_addr origin_count origin_datatype target_rank target_disp
 target_count target_datatype win
Get_accumulate: origin_addr origin_count origin_datatype result_addr
 result_count result_datatype target_rank target_disp target_count
 target_datatype op win
Fetch_and_op: origin_addr result_addr datatype target_rank target_disp op win
Compare_and_swap: origin_addr compare_addr result_addr datatype target_rank
 target_disp win
Win_lock: lock_type rank assert win
Win_lock_all: assert win
Win_unlock Win_flush Win_flush_local: rank win
File_open: comm filename amode info &fh
File_close: *fh
File_read_all File_write_all: fh buf count datatype status
File_read_at_all File_write_at_all: fh offset buf count datatype status
File_sync: fh
Abort: comm errorcode
Init: argc argv
Init_thread: argc argv required &provided
Finalize:
"""
