/* format.c - names of the output formats */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/format.h"

#include <string.h>

#include "report/why.h"

static const struct {
    const char *name;
    mq_reporter *analysis;
    mq_diff_reporter *diff;     /* null: there is none */
} formats[] = {
    [mq_format_text] = { "text", mq_report_text, mq_report_diff_text },
    [mq_format_json] = { "json", mq_report_json, mq_report_diff_json },
    [mq_format_csv] = { "csv", mq_report_csv, NULL },
    [mq_format_svg] = { "svg", mq_report_svg, NULL },
    [mq_format_html] = { "html", mq_report_html, NULL }
};

enum mq_result mq_format_find(const char *name, struct mq_error *error,
                              enum mq_format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *format = (enum mq_format)i;
            return mq_ok;
        }
    return mq_fail(error, "there is no format '%s'; the formats are text, json,"
                   " csv, svg and html", name);
}

enum mq_format mq_format_of_file(const char *file, enum mq_format other)
{
    const char *ending = strrchr(file, '.');
    enum mq_format found = other;
    struct mq_error error;

    return ending != NULL && mq_format_find(ending + 1, &error, &found) == mq_ok
           ? found : other;
}

enum mq_result mq_format_analysis(enum mq_format format,
                                  const struct mq_analysis *analysis,
                                  const struct mq_report_options *options,
                                  FILE *stream, struct mq_error *error)
{
    return format == mq_format_text && options->why
           ? mq_report_why(analysis, options, stream, error)
           : formats[format].analysis(analysis, options, stream, error);
}

enum mq_result mq_format_diff(enum mq_format format,
                              const struct mq_diff *diff,
                              const struct mq_report_options *options,
                              FILE *stream, struct mq_error *error)
{
    if (formats[format].diff == NULL)
        return mq_fail(error, "a comparison is written as text or json only");
    return formats[format].diff(diff, options, stream, error);
}
