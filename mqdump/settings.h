/* settings.h - what mqdump's command line says */
#ifndef MQ_SETTINGS_H
#define MQ_SETTINGS_H

#include <stdbool.h>

#include "base/options.h"
#include "mqdump/format.h"
#include "mqdump/handle_wishes.h"
#include "mqdump/live_settings.h"
#include "mqdump/sources.h"
#include "report/report.h"

struct mq_settings {
    bool doctor;                /* examines instead of showing */
    const char *dll;            /* null: choose one */
    struct mq_handle_wishes handles;
    bool raw;
    bool stats;
    bool verbose;
    bool help;
    bool version;
    enum mq_format format;
    struct mq_report_options report;
    const char *digest;         /* file to write instead; null: none */
    struct mq_sources before, after;    /* to be compared */
    struct mq_sources sources;
    struct mq_live_settings live;
};

/* The table that is read into a struct mq_settings. */
extern const struct mq_option mq_settings_table[];
extern const size_t mq_settings_count;

#endif
