/* compact_digest.c - compact form of a digest, for large jobs
 *
 * Processes of a digest that differ in numbers alone, taken together.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/compact_digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match_table.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "model/digest.h"
#include "mpi/adapters.h"

/* Placeholders of numbers; neither occurs in a digest. */
enum { a_decimal = '\t', a_hexadecimal = '\v' };

/* Of the crowds of an answer in all. */
enum { most_pieces = 1 << 20 };

static const char what[] = "for the answer of a node";

/* ---- Pieces ------------------------------------------------------------- */

/* Lines of a digest. */
struct piece {
    size_t numbers;             /* where its numbers begin */
    size_t next;                /* piece of its crowd */
};

/* Pieces whose text is the same, with marks for its numbers. */
struct crowd {
    char *text;                 /* its own */
    size_t first, last, count;  /* pieces */
};

struct folding {
    FILE *stream;
    struct mq_error *error;
    struct piece *pieces;
    size_t piece_count, piece_room;
    struct crowd *crowds;
    size_t crowd_count, crowd_room;
    uint64_t *numbers;
    size_t number_count, number_room;
    struct mq_map by_hash;      /* of the text: crowd */
};

/* Fields that the analysis uses: no address, or memory that was not set. */
static bool means_something(uint64_t address)
{
    return address == 0 || mq_adapter_is_unset(address);
}

/* Takes the number at *TEXT if it would be written in the same way again:
 * whether there is one.
 */
static bool take_decimal(const char **text, uint64_t *number)
{
    const char *at = *text;

    if ((at[0] == '0' && at[1] >= '0' && at[1] <= '9')
        || mq_number_read(&at, UINT64_MAX, number) != mq_number_ok)
        return false;
    *text = at;
    return true;
}

static bool take_hexadecimal(const char **text, uint64_t *number)
{
    const char *at = *text;
    char again[24];
    int length;

    if (strncmp(at, "0x", 2) != 0
        || mq_number_read_hex(&at, number) != mq_number_ok
        || means_something(*number))
        return false;
    length = snprintf(again, sizeof again, "0x%" PRIx64, *number);
    if (length != at - *text || strncmp(again, *text, (size_t)length) != 0)
        return false;
    *text = at;
    return true;
}

/* Writes the text up to END to TO, with marks for its numbers, which there is
 * room for: where it ends.
 */
static char *mark_numbers(struct folding *f, const char *text, const char *end,
                          char *to)
{
    while (text < end) {
        uint64_t *number = &f->numbers[f->number_count];

        if (take_hexadecimal(&text, number)) {
            *to++ = a_hexadecimal;
            f->number_count++;
        } else if (take_decimal(&text, number)) {
            *to++ = a_decimal;
            f->number_count++;
        } else {
            *to++ = *text++;
        }
    }
    return to;
}

/* Adds a piece to CROWD, which has TEXT if it is a new one. */
static enum mq_result join(struct folding *f, size_t crowd, char *text,
                           size_t numbers)
{
    struct crowd *it;

    if (mq_array_reserve(&f->pieces, sizeof f->pieces[0], f->piece_count + 1,
                         &f->piece_room, what, f->error) != mq_ok
        || mq_array_reserve(&f->crowds, sizeof f->crowds[0],
                            f->crowd_count + 1, &f->crowd_room, what,
                            f->error) != mq_ok)
        return mq_failed;
    it = &f->crowds[crowd];
    if (crowd == f->crowd_count) {
        *it = (struct crowd){ text, f->piece_count, f->piece_count, 0 };
        f->crowd_count++;
    }
    f->pieces[f->piece_count] = (struct piece){ numbers, 0 };
    f->pieces[it->last].next = f->piece_count;
    it->last = f->piece_count++;
    it->count++;
    return mq_ok;
}

/* The crowd of TEXT, or the number of the next one. */
static enum mq_result find_crowd(struct folding *f, const char *text,
                                 size_t *crowd)
{
    struct mq_key key = {
        mq_hash_bytes(MQ_HASH_BEGIN, text, strlen(text)), 0
    };
    uint32_t *found;

    if (mq_map_add(&f->by_hash, key, (uint32_t)f->crowd_count, f->error,
                   &found) != mq_ok)
        return mq_failed;
    if (*found < f->crowd_count && strcmp(f->crowds[*found].text, text) != 0)
        *found = (uint32_t)f->crowd_count;
    *crowd = *found;
    return mq_ok;
}

/* Part of a digest's text. */
struct part {
    const char *text, *end;
};

/* Adds a piece of PARTS; one of lines that others count joins only the piece
 * in front of it.
 */
static enum mq_result add_piece(struct folding *f, const struct part *parts,
                                size_t count, bool is_counted)
{
    size_t length = 1, numbers = f->number_count, crowd = f->crowd_count;
    enum mq_result result = mq_ok;
    char *text, *to;

    for (size_t i = 0; i < count; i++)
        length += (size_t)(parts[i].end - parts[i].text);
    if (mq_array_reserve(&f->numbers, sizeof f->numbers[0],
                         f->number_count + length, &f->number_room, what,
                         f->error) != mq_ok)
        return mq_failed;
    text = to = malloc(length);
    if (text == NULL)
        return mq_fail_memory(f->error, what);
    for (size_t i = 0; i < count; i++)
        to = mark_numbers(f, parts[i].text, parts[i].end, to);
    *to = '\0';
    if (!is_counted)
        result = find_crowd(f, text, &crowd);
    else if (crowd > 0 && strcmp(f->crowds[crowd - 1].text, text) == 0)
        crowd--;
    if (result == mq_ok)
        result = join(f, crowd, text, numbers);
    if (result != mq_ok || f->crowds[crowd].text != text)
        free(text);
    return result;
}

/* ---- A digest in pieces -------------------------------------------------- */

static bool begins(const char *line, const char *keyword)
{
    size_t length = strlen(keyword);

    return strncmp(line, keyword, length) == 0 && line[length] == ' ';
}

/* Whether the line is one whose like other lines count. */
static bool is_counted(const char *line)
{
    return begins(line, "group") || begins(line, "frame")
           || begins(line, "world");
}

static bool is_heading(const char *line)
{
    return begins(line, "name") || begins(line, "image");
}

static const char *next_line(const char *line)
{
    return strchr(line, '\n') + 1;
}

/* Adds the counted lines of a digest, which is well formed. */
static enum mq_result add_counted(struct folding *f, const char *line)
{
    enum mq_result result = mq_ok;

    for (; result == mq_ok && *line != '\0'; line = next_line(line)) {
        struct part part = { line, next_line(line) };

        if (is_counted(line))
            result = add_piece(f, &part, 1, true);
    }
    return result;
}

/* Adds the processes, each with its name and image. */
static enum mq_result add_processes(struct folding *f, const char *line)
{
    struct part parts[3] = { { "", "" }, { "", "" }, { "", "" } };
    enum mq_result result = mq_ok;

    while (result == mq_ok && strcmp(line, "end\n") != 0) {
        const char *next = next_line(line);

        if (is_heading(line))
            parts[begins(line, "image")] = (struct part){ line, next };
        if (!begins(line, "process")) {
            line = next;
            continue;
        }
        parts[2].text = line;
        while (!begins(next, "process") && !is_heading(next)
               && !is_counted(next) && strcmp(next, "end\n") != 0)
            next = next_line(next);
        parts[2].end = line = next;
        result = add_piece(f, parts, 3, false);
    }
    return result;
}

/* ---- Runs of numbers ----------------------------------------------------- */

/* A list of numbers, as the fewest runs that a greedy reading finds.
 */
struct runs {
    struct mq_strbuf text;
    size_t count;               /* in the text */
    uint64_t first, step, times, length;    /* of the last run; length 0: none
                                               is begun */
    uint64_t number, again;     /* that was written last, and how often */
    uint64_t least;
};

static void end_run(struct runs *runs)
{
    bool goes_down = runs->step > INT64_MAX;

    if (runs->length == 0)
        return;
    mq_strbuf_add(&runs->text, "%s%" PRIu64, runs->count > 0 ? "," : "",
                  runs->first);
    if (runs->times > 1)
        mq_strbuf_add(&runs->text, "x%" PRIu64, runs->times);
    if (runs->length > 1)
        mq_strbuf_add(&runs->text, "%c%" PRIu64 "x%" PRIu64,
                      goes_down ? '-' : '+',
                      goes_down ? 0 - runs->step : runs->step, runs->length);
    runs->count++;
    runs->length = 0;
}

static void end_number(struct runs *runs)
{
    if (runs->length > 0 && runs->times == runs->again
        && (runs->length == 1
            || runs->number == runs->first + runs->length * runs->step)) {
        if (runs->length++ == 1)
            runs->step = runs->number - runs->first;
        return;
    }
    end_run(runs);
    runs->first = runs->number;
    runs->times = runs->again;
    runs->length = 1;
}

/* Reads the numbers with index MARK of all pieces of CROWD. */
static void read_numbers(const struct folding *f, const struct crowd *crowd,
                         size_t mark, struct runs *runs)
{
    size_t piece = crowd->first;
    struct mq_strbuf text = runs->text;

    mq_strbuf_empty(&text);
    memset(runs, 0, sizeof *runs);
    runs->text = text;
    runs->number = runs->least = f->numbers[f->pieces[piece].numbers + mark];
    for (size_t i = 0; i < crowd->count; i++) {
        uint64_t number = f->numbers[f->pieces[piece].numbers + mark];

        if (number != runs->number) {
            end_number(runs);
            runs->number = number;
            runs->again = 0;
        }
        runs->again++;
        runs->least = number < runs->least ? number : runs->least;
        piece = f->pieces[piece].next;
    }
    end_number(runs);
    end_run(runs);
}

/* ---- Writing ------------------------------------------------------------- */

/* The position of a crowd's mark. */
struct place {
    const char *line, *mark;
    size_t before;              /* marks before it in its line */
};

static bool is_an_id(const struct place *place)
{
    return begins(place->line, "name") && place->before == 0;
}

/* Whether numbers there, which are at least LEAST, are of no importance.  The
 * communicator of a call's arguments is found by its id, so that either of them
 * changes only as the other one does.
 */
static bool is_unimportant(const struct place *place, uint64_t least)
{
    const char *line = place->line;

    if (begins(line, "send") || begins(line, "receive")
        || begins(line, "unexpected"))
        return *place->mark == a_hexadecimal;
    if (begins(line, "comm"))
        return *place->mark == a_hexadecimal && least > UINT32_MAX;
    if (begins(line, "argument"))
        return least > UINT32_MAX && place->mark - line > 6
               && strncmp(place->mark - 6, "count ", 6) != 0;
    return is_an_id(place) || begins(line, "activity")
           || (begins(line, "looks") && place->before > 0);
}

static void write_number(FILE *stream, char mark, uint64_t number)
{
    if (mark == a_hexadecimal)
        fprintf(stream, "0x%" PRIx64, number);
    else
        fprintf(stream, "%" PRIu64, number);
}

/* Writes the text in the place of a mark, and adds a line to COLUMNS if that is
 * not the same for all.
 */
static void write_mark(const struct folding *f, const struct crowd *crowd,
                       const struct place *place, const struct runs *runs,
                       struct mq_strbuf *columns, uint64_t first)
{
    bool is_left_out = runs->count > mq_compact_digest_most_runs
                       && is_unimportant(place, runs->least);

    if (is_left_out && is_an_id(place)) {
        putc('?', f->stream);
    } else if (is_left_out || runs->again == crowd->count) {
        write_number(f->stream, *place->mark, first);
    } else {
        putc(*place->mark, f->stream);
        mq_strbuf_add(columns, "column %s\n", mq_strbuf_text(&runs->text));
    }
}

static enum mq_result write_crowd(const struct folding *f,
                                  const struct crowd *crowd)
{
    struct mq_strbuf columns = { 0 };
    struct runs runs = { .count = 0 };
    struct place place = { .line = crowd->text };
    size_t marks = 0;
    enum mq_result result = mq_ok;

    if (crowd->count > 1)
        fprintf(f->stream, "crowd %zu\n", crowd->count);
    for (const char *at = crowd->text; *at != '\0'; at++) {
        if (*at == a_decimal || *at == a_hexadecimal) {
            place.mark = at;
            read_numbers(f, crowd, marks, &runs);
            write_mark(f, crowd, &place, &runs, &columns,
                       f->numbers[f->pieces[crowd->first].numbers + marks]);
            marks++;
            place.before++;
            continue;
        }
        putc(*at, f->stream);
        if (*at == '\n')
            place = (struct place){ at + 1, NULL, 0 };
    }
    fputs(mq_strbuf_text(&columns), f->stream);
    if (crowd->count > 1)
        fputs("apart\n", f->stream);
    if (runs.text.failed || columns.failed)
        result = mq_fail_memory(f->error, what);
    mq_strbuf_deinit(&runs.text);
    mq_strbuf_deinit(&columns);
    return result;
}

static enum mq_result fold(const char *digest, FILE *stream,
                           struct mq_error *error)
{
    struct folding f = { .stream = stream, .error = error };
    const char *lines = next_line(digest);
    enum mq_result result = add_counted(&f, lines);

    if (result == mq_ok)
        result = add_processes(&f, lines);
    fwrite(digest, 1, (size_t)(lines - digest), stream);
    for (size_t i = 0; result == mq_ok && i < f.crowd_count; i++)
        result = write_crowd(&f, &f.crowds[i]);
    fputs("end\n", stream);
    for (size_t i = 0; i < f.crowd_count; i++)
        free(f.crowds[i].text);
    free(f.crowds);
    free(f.pieces);
    free(f.numbers);
    mq_map_deinit(&f.by_hash);
    return result;
}

static int compare_ranks(const void *left, const void *right)
{
    const struct mq_process *a = left, *b = right;

    return mq_compare_ints(&a->rank, &b->rank);
}

/* A digest of the job in the order of its ranks, to be freed. */
static enum mq_result write_digest(const struct mq_job *job,
                                   struct mq_error *error, char **digest)
{
    struct mq_job sorted = *job;
    size_t size = job->process_count * sizeof job->processes[0], length;
    FILE *stream = open_memstream(digest, &length);
    enum mq_result result;

    sorted.processes = malloc(size + 1);
    if (stream == NULL || sorted.processes == NULL) {
        result = mq_fail_memory(error, what);
    } else {
        if (size > 0)
            memcpy(sorted.processes, job->processes, size);
        qsort(sorted.processes, job->process_count,
              sizeof job->processes[0], compare_ranks);
        result = mq_digest_write(&sorted, stream, error);
    }
    free(sorted.processes);
    if (stream != NULL && fclose(stream) != 0 && result == mq_ok)
        result = mq_fail_memory(error, what);
    return result;
}

enum mq_result mq_compact_digest_write(const struct mq_job *job, FILE *stream,
                                       struct mq_error *error)
{
    char *digest = NULL;
    enum mq_result result = write_digest(job, error, &digest);

    if (result == mq_ok)
        result = fold(digest, stream, error);
    free(digest);
    return result;
}

/* ---- Reading ------------------------------------------------------------- */

/* Numbers as a line of a crowd has them. */
struct column {
    const char *at;             /* behind the runs that were begun */
    uint64_t number, step;
    uint64_t times, again;      /* of each number, and of this one to come */
    uint64_t length;            /* numbers of the run to come */
};

struct unfolding {
    FILE *stream;
    struct mq_error *error;
    size_t room;                /* bytes that may be written yet */
    uint64_t pieces;            /* that may come yet */
    struct column *columns;
    size_t column_count, column_room;
};

/* Reads a number of a run if BEFORE precedes it. */
static bool read_part(const char **at, char before, uint64_t *number)
{
    if (**at != before)
        return false;
    ++*at;
    return mq_number_read(at, UINT64_MAX, number) == mq_number_ok;
}

/* Reads the run that comes next. */
static bool begin_run(struct column *column)
{
    const char *at = column->at;
    bool goes_down;

    column->times = column->length = 1;
    column->step = 0;
    if (mq_number_read(&at, UINT64_MAX, &column->number) != mq_number_ok
        || (*at == 'x' && !read_part(&at, 'x', &column->times)))
        return false;
    goes_down = *at == '-';
    if (*at == '+' || goes_down) {
        if (!read_part(&at, *at, &column->step)
            || !read_part(&at, 'x', &column->length))
            return false;
    }
    if (goes_down)
        column->step = 0 - column->step;
    if ((*at != ',' && *at != '\0') || column->times == 0
        || column->length == 0)
        return false;
    column->at = at + (*at == ',');
    column->again = column->times;
    return true;
}

/* The next number of a column: whether there is one. */
static bool next_number(struct column *column, uint64_t *number)
{
    if (column->again == 0 && column->length > 1) {
        column->length--;
        column->number += column->step;
        column->again = column->times;
    } else if (column->again == 0 && !begin_run(column)) {
        return false;
    }
    column->again--;
    *number = column->number;
    return true;
}

static enum mq_result refuse(const struct unfolding *u, const char *why)
{
    return mq_fail(u->error, "a group of ranks %s", why);
}

static enum mq_result take_room(struct unfolding *u, size_t bytes)
{
    if (bytes > u->room)
        return refuse(u, "is larger than an answer may be");
    u->room -= bytes;
    return mq_ok;
}

/* Writes one of the pieces that TEXT represents. */
static enum mq_result write_piece(struct unfolding *u, const char *text)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\t\v");
        uint64_t number;

        if (take_room(u, length + 20) != mq_ok)
            return mq_failed;
        fwrite(text, 1, length, u->stream);
        text += length;
        if (*text == '\0')
            break;
        if (column == u->column_count
            || !next_number(&u->columns[column], &number))
            return refuse(u, "lacks numbers");
        write_number(u->stream, *text++, number);
        column++;
    }
    return mq_ok;
}

/* The line at *TEXT, which a terminator ends from here on. */
static char *take_line(char **text)
{
    char *line = *text, *end = line + strcspn(line, "\n");

    *text = end + (*end == '\n');
    *end = '\0';
    return line;
}

/* Takes the columns at *TEXT, and the line behind them. */
static enum mq_result take_columns(struct unfolding *u, char **text)
{
    static const char keyword[] = "column ";

    u->column_count = 0;
    while (strncmp(*text, keyword, sizeof keyword - 1) == 0) {
        if (mq_array_reserve(&u->columns, sizeof u->columns[0],
                             u->column_count + 1, &u->column_room, what,
                             u->error) != mq_ok)
            return mq_failed;
        u->columns[u->column_count++] = (struct column){
            .at = take_line(text) + sizeof keyword - 1
        };
    }
    return strcmp(take_line(text), "apart") == 0 ? mq_ok
           : refuse(u, "does not end");
}

/* The end of the lines of a crowd that begin at TEXT. */
static char *find_columns(char *text)
{
    char *line = text;

    while (*line != '\0' && strncmp(line, "column ", 7) != 0
           && strncmp(line, "apart\n", 6) != 0) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return line;
}

/* Writes the crowd whose first line is LINE. */
static enum mq_result write_pieces(struct unfolding *u, const char *line,
                                   char **text)
{
    const char *at = line + strlen("crowd ");
    char *lines = *text, *columns = find_columns(lines), keep = *columns;
    uint64_t count = 0;
    enum mq_result result;

    if (mq_number_read(&at, u->pieces, &count) != mq_number_ok || *at != '\0')
        return refuse(u, "is of no number of ranks that there can be");
    u->pieces -= count;
    *text = columns;
    result = take_columns(u, text);
    if (keep != '\0')
        *columns = '\0';
    for (uint64_t i = 0; result == mq_ok && i < count; i++)
        result = write_piece(u, lines);
    for (size_t i = 0; result == mq_ok && i < u->column_count; i++) {
        const struct column *it = &u->columns[i];

        if (it->again != 0 || it->length > 1 || *it->at != '\0')
            result = refuse(u, "has numbers left");
    }
    return result;
}

enum mq_result mq_compact_digest_expand(char *text, size_t most, FILE *stream,
                                        struct mq_error *error)
{
    struct unfolding u = { .stream = stream, .error = error, .room = most,
                           .pieces = most_pieces };
    enum mq_result result = mq_ok;

    while (result == mq_ok && *text != '\0') {
        const char *line = take_line(&text);

        if (begins(line, "crowd")) {
            result = write_pieces(&u, line, &text);
        } else {
            result = take_room(&u, strlen(line) + 1);
            if (result == mq_ok)
                fprintf(stream, "%s\n", line);
        }
    }
    free(u.columns);
    return result;
}
