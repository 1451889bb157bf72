/* page_data.h - data of the format html, as JSON
 *
 * All that the page needs and as short as can be: texts are written once and
 * named by their numbers, and processes and operations are columns in which
 * equal values are counted.  Ranks that differ from row to row as those of
 * their processes do are written as the difference.  It belongs to page.js, and
 * may change with it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PAGE_DATA_H
#define MQ_PAGE_DATA_H

#include "report/picture.h"

enum mq_result mq_page_data_write(const struct mq_picture *,
                                  const struct mq_report_options *, FILE *,
                                  struct mq_error *);

#endif
