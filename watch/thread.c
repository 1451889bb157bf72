/* thread.c - call record of each thread, and shared state */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <sys/syscall.h>
#include <unistd.h>

struct watch mqw = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = 1 };
struct thread mqw_nobody;
__thread struct thread *mqw_self __attribute__((tls_model("initial-exec")))
    = &mqw_nobody;

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* Its record stays where it is, for debuggers and for the next new thread.  It
 * has another one if it still calls MPI.
 */
static void thread_ends(void *thread)
{
    struct thread *it = thread;

    mqw_self = &mqw_nobody;
    if (it->plain.call != 0) {
        mqw_lock();
        mqw_unlink_all(it);
        mqw_unlock();
        PUBLISH(it->plain.call, 0);
    }
    PUBLISH(it->plain.id, 0);
    __atomic_store_n(&it->has_ended, true, __ATOMIC_RELEASE);
}

static void make_key(void)
{
    pthread_key_create(&key, thread_ends);
}

/* The record of a thread that has ended, or a new one; null without memory. */
static struct thread *take_record(void)
{
    uint64_t each;
    struct thread *it;

    for (each = mqwatch.threads; each != 0; each = it->plain.next) {
        it = mqw_at(each);
        if (__atomic_exchange_n(&it->has_ended, false, __ATOMIC_ACQUIRE))
            return it;
    }
    it = mqw_alloc(sizeof *it);
    if (it == NULL)
        return NULL;
    it->plain.next = mqwatch.threads;
    PUBLISH(mqwatch.threads, (uintptr_t)&it->plain);
    return it;
}

struct thread *mqw_thread_create(void)
{
    struct thread *it;

    pthread_once(&once, make_key);
    pthread_mutex_lock(&list_mutex);
    it = take_record();
    pthread_mutex_unlock(&list_mutex);
    if (it == NULL)
        return NULL;
    it->plain.id = (int32_t)syscall(SYS_gettid);
    it->stack.size = 0;
    pthread_setspecific(key, it);
    mqw_self = it;
    return it;
}

static struct mqw_range own_stack(void)
{
    struct mqw_range stack = { 0, 0 };
    pthread_attr_t attributes;
    void *begin;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return stack;
    if (pthread_attr_getstack(&attributes, &begin, &stack.size) == 0)
        stack.begin = (uintptr_t)begin;
    pthread_attr_destroy(&attributes);
    return stack;
}

bool mqw_is_below(struct thread *it, const void *lower, const void *higher)
{
    if ((uintptr_t)lower > (uintptr_t)higher)
        return false;
    if (it->stack.size == 0)
        it->stack = own_stack();
    return (uintptr_t)lower - it->stack.begin < it->stack.size
           && (uintptr_t)higher - it->stack.begin < it->stack.size;
}

static void unlink_own(struct element_list *list, struct element *element)
{
    mqw_adopt(list);
    if (element->link != NULL)
        mqw_unlink_own(list, element);
}

void mqw_unlink_all(struct thread *it)
{
    for (int i = 0; i < own_count; i++) {
        unlink_own(&mqw_sends, &it->own[MQWATCH_SEND][i].element);
        unlink_own(&mqw_receives, &it->own[MQWATCH_RECEIVE][i].element);
    }
}

void mqw_forget_cells(void)
{
    uint64_t each;
    struct thread *it;

    for (each = __atomic_load_n(&mqwatch.threads, __ATOMIC_ACQUIRE); each != 0;
         each = it->plain.next) {
        it = mqw_at(each);
        for (int i = 0; i < own_count; i++) {
            mqw_forget_cell(&it->own[MQWATCH_SEND][i]);
            mqw_forget_cell(&it->own[MQWATCH_RECEIVE][i]);
        }
    }
}

void *mqw_more_room(void **place, size_t *room, size_t size)
{
    mqw_free(*place);
    *place = mqw_alloc(size);
    *room = *place != NULL ? size : 0;
    return *place;
}

void mqw_end(enum mqwatch_state state)
{
    PUBLISH(mqwatch.state, state);
    mqw_change();
    mqw_empty_queues();
    mqw_forget_communicators();
    mqw_hide_dll();
}
