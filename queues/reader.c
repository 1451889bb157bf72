/* reader.c - bounded reading of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/reader.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

int reader_start(struct reader *reader, mqs_process *process,
                 const mqs_process_callbacks *callbacks,
                 const mqs_image_callbacks *image)
{
    static const unsigned char one[8] = { 1, 0, 0, 0, 0, 0, 0, 0 };
    mqs_target_type_sizes sizes = { 0, 0, 0, 0, 0 };
    uint64_t value = 0;

    image->mqs_get_type_sizes_fp(process, &sizes);
    if (sizes.pointer_size != 8 || sizes.int_size != 4)
        return err_not_wide;
    if (sizeof(mqs_taddr_t) < sizeof(uint64_t))
        return err_too_wide;
    reader->process = process;
    reader->callbacks = callbacks;
    callbacks->mqs_target_to_host_fp(process, one, &value, 8);
    if (value != 1)
        return err_not_wide;
    reader_reset(reader);
    return mqs_ok;
}

void reader_end(struct reader *reader)
{
    int i;

    for (i = 0; i < PAGES; i++)
        store_give(reader->pages[i].bytes);
}

void reader_reset(struct reader *reader)
{
    int i;

    reader->fetches_left = FETCHES_LIMIT;
    reader->status = mqs_ok;
    for (i = 0; i < PAGES; i++)
        reader->pages[i].address = 0;
}

/* The only place where the process is read. */
static int fetch(struct reader *reader, uint64_t address, size_t length,
                 void *bytes)
{
    if (reader->fetches_left == 0)
        return err_too_many_reads;
    if (address < PAGE || length == 0 || length > PIECE
        || address > UINT64_MAX - length)
        return err_unreadable;
    reader->fetches_left--;
    return reader->callbacks->mqs_fetch_data_fp(
               reader->process, (mqs_taddr_t)address, (int)length, bytes)
               == mqs_ok
           ? mqs_ok : err_unreadable;
}

/* Copies the part in one page; the page is kept if all of it can be read. */
static int take_of_page(struct reader *reader, uint64_t address,
                        size_t length, unsigned char *bytes)
{
    uint64_t within = address % PAGE, begin = address - within;
    struct page *page = &reader->pages[begin / PAGE % PAGES];
    int status = mqs_ok;

    if (page->bytes == NULL)
        page->bytes = store_take(PAGE);
    if (page->bytes == NULL)
        return err_no_store;
    if (page->address != begin) {
        page->address = 0;
        status = fetch(reader, begin, PAGE, page->bytes);
        if (status != mqs_ok)
            return status == err_unreadable
                   ? fetch(reader, address, length, bytes) : status;
        page->address = begin;
    }
    memcpy(bytes, page->bytes + within, length);
    return mqs_ok;
}

int reader_take(struct reader *reader, uint64_t address, size_t length,
                void *bytes)
{
    unsigned char *to = bytes;

    if (address > UINT64_MAX - length)
        return reader->status = err_unreadable;
    while (length > 0) {
        size_t room = (size_t)(PAGE - address % PAGE);
        size_t some = length < room ? length : room;
        int status = take_of_page(reader, address, some, to);

        if (status != mqs_ok)
            return reader->status = status;
        address += some;
        to += some;
        length -= some;
    }
    return mqs_ok;
}

int reader_take_large(struct reader *reader, uint64_t address,
                      size_t length, void *bytes)
{
    unsigned char *to = bytes;

    while (length > 0) {
        size_t some = length < PIECE ? length : PIECE;
        int status = fetch(reader, address, some, to);

        if (status != mqs_ok)
            return reader->status = status;
        address += some;
        to += some;
        length -= some;
    }
    return mqs_ok;
}

int reader_take_word(struct reader *reader, uint64_t address,
                     uint64_t *word)
{
    return reader_take_words(reader, address, 1, word);
}

int reader_take_half(struct reader *reader, uint64_t address,
                     uint32_t *half)
{
    unsigned char bytes[4];
    int status = reader_take(reader, address, sizeof bytes, bytes);

    if (status == mqs_ok)
        *half = reader_half(bytes);
    return status;
}

int reader_take_words(struct reader *reader, uint64_t address, int count,
                      uint64_t *words)
{
    int status = reader_take(reader, address, (size_t)count * 8, words);
    int i;

    for (i = 0; status == mqs_ok && i < count; i++)
        words[i] = reader_word(&words[i]);
    return status;
}
