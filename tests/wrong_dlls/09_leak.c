/* Keeps a block of each process. */
#define mqs_setup_process right_setup_process
#include "dll_mpich.c"
#undef mqs_setup_process

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    allocate(100);
    return right_setup_process(process, callbacks);
}
