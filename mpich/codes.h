/* codes.h - error codes and offsets derived from a DLL's table
 *
 * Included once, by the header that has the DLL's MPICH_TABLE and MPICH_ERRORS
 * (mpich/rows.h), behind them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_CODES_H
#define MPICH_CODES_H

#include "mpi_interface.h"

/* The rows of the table. */
enum row {
#define TYPE(type, need, place, alias) row_##type,
#define MEMBER(type, name, read, need) row_##type##_##name,
#define SYMBOL(name, need) row_##name,
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, SYMBOL)
#undef TYPE
#undef MEMBER
#undef SYMBOL
    row_count,
    row_NOWHERE = row_count
};

/* The codes that the DLL's functions return: those of MPICH_ERRORS, which are
 * about no row, and then for each row err_missing + row, err_unreadable + row.
 */
enum error {
    err_before_first = mqs_first_user_code - 1,
#define ERROR(name, sentence) err_##name,
    MPICH_ERRORS(ERROR)
#undef ERROR
    err_missing,
    err_unreadable = err_missing + row_count,
    err_count = err_unreadable + row_count
};

#endif
