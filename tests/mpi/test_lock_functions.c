/* test_lock_functions.c - functions in which threads wait for others */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "mpi/libraries.h"
#include "tests/kit/harness.h"

int main(void)
{
    static const struct {
        const char *function;
        enum mq_lock kind;
    } cases[] = {
        {"pthread_mutex_lock", mq_lock_mutex},
        {"__pthread_mutex_lock_full", mq_lock_mutex},
        {"gomp_mutex_lock_slow", mq_lock_section},
        {"GOMP_critical_start", mq_lock_section},
        {"GOMP_critical_end", mq_lock_none},
        {"omp_set_nest_lock", mq_lock_section},
        {"pthread_rwlock_wrlock", mq_lock_rwlock},
        {"pthread_cond_wait@@GLIBC_2.3.2", mq_lock_condition},
        {"pthread_cond_timedwait", mq_lock_none},
        {"std::condition_variable::wait", mq_lock_condition},
        {"std::condition_variable::notify_one", mq_lock_none},
        {"__new_sem_wait.constprop.0", mq_lock_semaphore},
        {"sem_timedwait", mq_lock_none},
        {"pthread_barrier_wait", mq_lock_barrier},
        {"gomp_team_barrier_wait_end", mq_lock_barrier},
        {"pthread_join", mq_lock_thread},
        {"pthread_timedjoin_np", mq_lock_none},
        {"_ZNSt6thread4joinEv", mq_lock_thread},
        {"GOMP_loop_end", mq_lock_team},
        {"GOMP_loop_end_nowait", mq_lock_none},
        {"__kmpc_barrier", mq_lock_team},
        {"pthread_mutex_unlock", mq_lock_none},
        {"", mq_lock_none},
        {NULL, mq_lock_none},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("'%s'", cases[i].function != NULL ? cases[i].function : "null");
        CHECK_INT(mq_lock_kind(cases[i].function), cases[i].kind);
    }
    return tests_end();
}
