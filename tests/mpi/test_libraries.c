/* test_libraries.c - classification of libraries by their names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "mpi/libraries.h"
#include "tests/kit/harness.h"

int main(void)
{
    static const struct {
        const char *path;
        int kind;
    } cases[] = {
        {"/lib/x86_64-linux-gnu/libc.so.6", mq_of_c_library},
        {"/lib/libm-2.31.so", mq_of_c_library},
        {"/lib64/ld-linux-x86-64.so.2", mq_of_c_library},
        {"/usr/lib/libmpi.so.40", mq_of_mpi | mq_of_mpi_parts},
        {"/usr/lib/libmpich.so.12", mq_of_mpi | mq_of_mpi_parts},
        {"/opt/intel/mpi/lib/release_mt/libmpi.so.12",
         mq_of_mpi | mq_of_mpi_parts},
        {"/opt/cray/lib/libmpi_gnu_91.so.12", mq_of_mpi | mq_of_mpi_parts},
        {"/opt/cray/lib/libmpifort_cray.so.12", mq_of_mpi | mq_of_mpi_parts},
        {"/opt/cray/lib/libpals.so.0", mq_of_mpi_parts},
        {"libpmpi.so.12", mq_of_mpi | mq_of_mpi_parts},
        {"/usr/lib/openmpi/mca_btl_tcp.so", mq_of_mpi_parts},
        {"/usr/lib/libfabric/libpsm3-fi.so", mq_of_mpi_parts},
        {"/usr/lib/libucc.so.1", mq_of_mpi_parts},
        {"/usr/lib/libpmix.so.2", mq_of_mpi_parts | mq_is_unrelated},
        {"/usr/lib/libhwloc.so.15", mq_is_beneath | mq_is_unrelated},
        {"/usr/lib/libmqwatch-openmpi.so", mq_of_watch},
        {"/usr/lib/libstdc++.so.6", mq_of_cxx_library | mq_is_unrelated},
        {"/usr/lib/libmkl_core.so.2", mq_of_pool | mq_does_work},
        {"/usr/lib/libgomp.so.1", mq_of_pool},
        {"/home/user/libc10.so", 0},
        {"/home/user/libpsmile.so", 0},
        {"/home/user/libmpi/solver", 0},
        {"/home/user/libcrypt.so", 0},
        {"/home/user/librtaudio.so", 0},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("'%s'", cases[i].path);
        CHECK(mq_library_kind(cases[i].path) == cases[i].kind);
    }
    return tests_end();
}
