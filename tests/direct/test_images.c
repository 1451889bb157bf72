/* test_images.c - libraries loaded or unloaded between samples
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "direct/direct.h"
#include "tests/kit/harness.h"

/* A process that does as it is told: 'l' loads a library, 'u' lets it go.  It
 * answers with the address of a function of the library's, or 0.
 */
static struct {
    int pid, commands, answers;
} child;

static void obey(int commands, int answers)
{
    void *library = NULL;
    uint64_t function;
    char command;

    while (read(commands, &command, 1) == 1) {
        if (command == 'l')
            library = dlopen(built("libtvmpich.so"), RTLD_NOW);
        else if (library != NULL && dlclose(library) == 0)
            library = NULL;
        function = library == NULL ? 0
            : (uint64_t)(uintptr_t)dlsym(library, "mqs_dll_taddr_width");
        if (write(answers, &function, sizeof function) < 0)
            break;
    }
}

static bool start(void)
{
    int commands[2], answers[2];

    if (pipe(commands) != 0 || pipe(answers) != 0)
        return false;
    child.pid = fork();
    if (child.pid == 0) {
        close(commands[1]);
        obey(commands[0], answers[1]);
        _exit(0);
    }
    close(commands[0]);
    close(answers[1]);
    child.commands = commands[1];
    child.answers = answers[0];
    return child.pid > 0;
}

static uint64_t tell(char command)
{
    uint64_t function = 0;

    CHECK_INT(write(child.commands, &command, 1), 1);
    CHECK_INT(read(child.answers, &function, sizeof function),
              sizeof function);
    return function;
}

/* Looks at the process, and gives where it has the library's function. */
static uint64_t look(struct mq_target *target)
{
    const struct mq_live_ops *live = target->live;
    struct mq_error error = { "" };
    uint64_t address = 0;

    CHECK_INT(live->prepare(target, &error), mq_ok);
    CHECK_INT(live->halt(target, &error), mq_ok);
    CHECK_INT(live->stop(target, &error), mq_ok);
    CHECK_INT(live->resume(target, &error), mq_ok);
    CHECK_INT(live->locate(target, &error) == mq_failed, 0);
    CHECK_STRING(error.text, "");
    mq_target_find_function(target, "mqs_dll_taddr_width", NULL, &address);
    return address;
}

static void test_target(struct mq_target *target)
{
    uint64_t function;

    test("before");
    CHECK_INT(look(target), 0);
    CHECK_INT(look(target), 0);
    test("a library that is loaded");
    function = tell('l');
    CHECK(function != 0);
    CHECK_INT(look(target) == function, 1);
    CHECK_INT(look(target) == function, 1);
    test("a library that is let go");
    CHECK_INT(tell('u'), 0);
    CHECK_INT(look(target), 0);
}

int main(void)
{
    struct mq_direct *direct;
    struct mq_target *target;
    struct mq_pin pin;
    struct mq_error error = { "" };
    enum mq_result result = mq_direct_create(&error, &direct);

    test("a process");
    CHECK_INT(result, mq_direct_library() != NULL ? mq_ok : mq_failed);
    if (result != mq_ok)
        return tests_end();
    if (CHECK_INT(start(), 1)
        && CHECK_INT(mq_pin_process(child.pid, &error, &pin), mq_ok)
        && CHECK_INT(mq_direct_open(direct, &pin, NULL, &error, &target),
                     mq_ok)) {
        test_target(target);
        mq_target_destroy(target);
    }
    kill(child.pid, SIGKILL);
    waitpid(child.pid, NULL, 0);
    mq_direct_destroy(direct);
    return tests_end();
}
