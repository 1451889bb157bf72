/* html.c - the format html
 *
 * Text of targets is in the verdict, in the picture and in the data only.  In
 * the data each character that could end or begin markup is written as JSON can
 * have it too, in the others as a reference, and the page's policy lets run and
 * look up nothing but what this file has put in.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "report/page_data.h"
#include "report/sections.h"
#include "report/sentences.h"

struct report {
    const struct mq_analysis *a;
    const struct mq_report_options *options;
    FILE *stream;
    FILE *data;                 /* as page_data.h has it */
    struct mq_picture picture;
};

static enum mq_result fail_file(struct mq_error *error)
{
    return mq_fail(error, "cannot write and read a temporary file: %s",
                   strerror(errno));
}

/* ---- What is put in ----------------------------------------------------- */

static enum mq_result write_verdict(struct report *r, struct mq_error *error)
{
    struct mq_strbuf words = { 0 };
    bool failed;

    mq_sentence_verdict(&words, r->a);
    mq_text_write_quoted(r->stream, mq_strbuf_text(&words), mq_text_xml);
    failed = words.failed;
    mq_strbuf_deinit(&words);
    return failed ? mq_fail_memory(error, "writing a page") : mq_ok;
}

static enum mq_result write_job(struct report *r, struct mq_error *error)
{
    struct mq_strbuf words = { 0 };
    bool failed;

    mq_origin_words(&words, r->a->job, r->options);
    mq_text_write_quoted(r->stream, mq_strbuf_text(&words), mq_text_xml);
    failed = words.failed;
    mq_strbuf_deinit(&words);
    return failed ? mq_fail_memory(error, "writing a page") : mq_ok;
}

/* Outside of its strings JSON has none of these characters. */
static enum mq_result write_data(struct report *r, struct mq_error *error)
{
    int c;

    while ((c = getc(r->data)) != EOF) {
        if (c == '<' || c == '>' || c == '&')
            fprintf(r->stream, "\\u%04x", (unsigned)c);
        else
            putc(c, r->stream);
    }
    return ferror(r->data) ? fail_file(error) : mq_ok;
}

static enum mq_result write_picture(struct report *r, struct mq_error *error)
{
    return mq_picture_write(&r->picture, r->stream, error);
}

static const struct {
    const char *name;
    enum mq_result (*write)(struct report *, struct mq_error *);
    const void *bytes;          /* what is written else */
    const size_t *size;         /* null: up to a null byte */
} parts[] = {
    { "@verdict@", write_verdict, NULL, NULL },
    { "@job@", write_job, NULL, NULL },
    { "@picture@", write_picture, NULL, NULL },
    { "@data@", write_data, NULL, NULL },
    { "@style@", NULL, mq_page_css, &mq_page_css_size },
    { "@style-hash@", NULL, mq_page_css_hash, NULL },
    { "@picture-hash@", NULL, mq_picture_css_hash, NULL },
    { "@script@", NULL, mq_page_js, &mq_page_js_size },
    { "@script-hash@", NULL, mq_page_js_hash, NULL }
};

/* ---- The page ----------------------------------------------------------- */

/* Writes what TEXT, of so many bytes, begins with, and moves on behind it. */
static enum mq_result write_next(struct report *r, const unsigned char **text,
                                 const unsigned char *end,
                                 struct mq_error *error)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t length = strlen(parts[i].name);

        if ((size_t)(end - *text) >= length
            && memcmp(*text, parts[i].name, length) == 0) {
            *text += length;
            if (parts[i].write != NULL)
                return parts[i].write(r, error);
            fwrite(parts[i].bytes, 1, parts[i].size != NULL ? *parts[i].size
                                      : strlen(parts[i].bytes), r->stream);
            return mq_ok;
        }
    }
    putc(*(*text)++, r->stream);
    return mq_ok;
}

enum mq_result mq_report_html(const struct mq_analysis *analysis,
                              const struct mq_report_options *options,
                              FILE *stream, struct mq_error *error)
{
    struct report r = { .a = analysis, .options = options, .stream = stream,
                        .data = tmpfile() };
    const unsigned char *text = mq_page_html;
    const unsigned char *end = mq_page_html + mq_page_html_size;
    enum mq_result result;

    if (r.data == NULL)
        return fail_file(error);
    result = mq_picture_create(analysis, options, error, &r.picture);
    if (result == mq_ok)
        result = mq_page_data_write(&r.picture, options, r.data, error);
    if (result == mq_ok && (fflush(r.data) != 0 || ferror(r.data)))
        result = fail_file(error);
    rewind(r.data);
    while (result == mq_ok && text < end)
        result = write_next(&r, &text, end, error);
    mq_picture_destroy(&r.picture);
    fclose(r.data);
    return result;
}
