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

#include <stddef.h>

#include "report/picture.h"

enum mq_result mq_page_data_write(const struct mq_picture *,
                                  const struct mq_report_options *, FILE *,
                                  struct mq_error *);

/* page.html, page.css, page.js and picture.css as they are, which the Makefile
 * turns into arrays, with the hashes that let browsers run them and nothing
 * else.  page.html has @NAME@ where something is put in.
 */
extern const unsigned char mq_page_html[], mq_page_css[], mq_page_js[];
extern const unsigned char mq_picture_css[];
extern const size_t mq_page_html_size, mq_page_css_size, mq_page_js_size;
extern const size_t mq_picture_css_size;
extern const char mq_page_html_hash[], mq_page_css_hash[], mq_page_js_hash[];
extern const char mq_picture_css_hash[];

#endif
