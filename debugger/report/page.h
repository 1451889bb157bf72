/* page.h - embedded HTML, CSS and JavaScript of the formats svg and html
 *
 * page.html, page.css, page.js and picture.css as they are, which the Makefile
 * turns into arrays, with the hashes that let browsers run them and nothing
 * else.  page.html has @NAME@ where something is put in.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PAGE_H
#define MQ_PAGE_H

#include <stddef.h>

extern const unsigned char mq_page_html[], mq_page_css[], mq_page_js[];
extern const unsigned char mq_picture_css[];
extern const size_t mq_page_html_size, mq_page_css_size, mq_page_js_size;
extern const size_t mq_picture_css_size;
extern const char mq_page_html_hash[], mq_page_css_hash[], mq_page_js_hash[];
extern const char mq_picture_css_hash[];

#endif
