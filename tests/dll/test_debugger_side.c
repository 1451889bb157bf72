/* test_debugger_side.c - callbacks conform to the interface documents */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "dll/callbacks.h"
#include "dll/dll.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"

/* ---- Reads -----------------------------------------------------------------
 */

/* Tools 6.8.3: mqs_ok, or mqs_no_information. */
static void test_reads(void)
{
    struct scenario s;
    struct mqs_image_ image = { .types = NULL };
    struct mqs_process_ process = { .image = &image };
    int (*fetch)(mqs_process *, mqs_taddr_t, int, void *) =
        mq_process_callbacks.mqs_fetch_data_fp;
    char data[8];

    scenario_create(&s, NULL, NULL, sim_contiguous);
    process.target = sim_target(s.sim);

    test("a read that succeeds");
    CHECK_INT(fetch(&process, s.world, 8, data), mqs_ok);
    test("a read where there is no memory");
    CHECK_INT(fetch(&process, 0, 8, data), mqs_no_information);
    test("a read of nothing");
    CHECK_INT(fetch(&process, s.world, 0, data), mqs_no_information);
    CHECK_INT(fetch(&process, s.world, 8, NULL), mqs_no_information);
    test("what that means, in words");
    CHECK_STRING(mq_basic_callbacks.mqs_errorstring_fp(mqs_no_information),
                 "The debugger cannot answer that");
    sim_destroy(s.sim);
}

/* ---- Languages
 * ---------------------------------------------------------------
 */

/* A symbol table as compilers write it. */
static const char *const symbols[] = {
    "plain", "lower_", "two_words__", "CAPITAL", "bare", "Mixed"
};

static enum mq_result find(struct mq_target *target, const char *name,
                           bool is_function, struct mq_error *error,
                           uint64_t *address)
{
    (void)target;
    (void)is_function;
    (void)error;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (strcmp(symbols[i], name) == 0) {
            *address = 1000 + i;
            return mq_ok;
        }
    return mq_absent;
}

static enum mq_result find_type(struct mq_target *target, const char *name,
                                struct mq_error *error,
                                const struct mq_target_type **type)
{
    uint64_t address;

    if (find(target, name, false, error, &address) != mq_ok)
        return mq_absent;
    *type = (const struct mq_target_type *)symbols;
    return mq_ok;
}

static const struct {
    const char *name;
    mqs_lang_code language;
    int number;                 /* in the table; -1: it is not found */
} look_ups[] = {
    { "plain", mqs_lang_c, 0 },
    { "plain", mqs_lang_cplus, 0 },
    { "lower", mqs_lang_c, -1 },
    { "lower", mqs_lang_cplus, -1 },
    { "lower", mqs_lang_f77, 1 },
    { "LOWER", mqs_lang_f90, 1 },
    { "lower_", mqs_lang_f77, 1 },
    { "Two_Words", mqs_lang_f77, 2 },
    { "capital", mqs_lang_f90, 3 },
    { "capital", mqs_lang_c, -1 },
    { "BARE", mqs_lang_f90, 4 },
    { "BARE", mqs_lang_cplus, -1 },
    { "Mixed", mqs_lang_f77, 5 },
    { "mixed", mqs_lang_f77, -1 }
};

static void test_languages(void)
{
    static const struct mq_target_ops ops = {
        .find_name = find, .find_type = find_type
    };
    struct mq_target target = { .ops = &ops };
    struct mqs_image_ image = { .target = &target };

    for (size_t i = 0; i < sizeof look_ups / sizeof look_ups[0]; i++) {
        char *name = (char *)look_ups[i].name;
        mqs_lang_code language = look_ups[i].language;
        mqs_taddr_t address = 0;

        test("%s in language %c", name, (int)language);
        CHECK_INT(mq_image_callbacks.mqs_find_function_fp(&image, name,
                                                          language, &address),
                  look_ups[i].number >= 0 ? mqs_ok : mqs_no_information);
        CHECK_INT(address, look_ups[i].number >= 0
                           ? 1000 + look_ups[i].number : 0);
        CHECK_INT(mq_image_callbacks.mqs_find_type_fp(&image, name, language)
                  != NULL, look_ups[i].number >= 0);
    }
    mq_image_forget(&image);
}

/* ---- Versions
 * ------------------------------------------------------------------
 */

static void test_version(void)
{
    struct mq_error error;
    struct mq_dll *dll = NULL;

    test("the interface's version by its name in the draft (Tools 6.6.3)");
    CHECK_INT(mqs_interface_version, 2);
    if (CHECK_INT(mq_dll_load(built("libtvmpich.so"), &error, &dll), mq_ok))
        CHECK_INT(dll->entries.version_compatibility(), mqs_interface_version);
    mq_dll_unload(dll);
}

int main(void)
{
    test_reads();
    test_languages();
    test_version();
    return tests_end();
}
