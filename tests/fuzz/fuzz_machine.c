/* fuzz_machine.c - fuzzer: recovery of arguments from machine code
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "tests/kit/recorded_code.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    static struct mq_recovered found[2][recorded_arguments];
    static struct recorded_code code;
    struct fuzz_input input = { bytes, length };
    struct mq_decoders *decoders;
    enum mq_result results[2];
    uint64_t target;
    int i;

    recorded_code_read(&input, &code);
    if (mq_decoders_create(NULL, &decoders) != mq_ok)
        return 0;
    memset(found, 0, sizeof found);
    for (i = 0; i < 2; i++)
        results[i] = mq_machine_recover(decoders, &code.map, code.machine,
                                        code.frames, code.frame_count,
                                        code.which, code.sizes,
                                        code.argument_count, found[i]);
    FUZZ_CHECK(results[0] == results[1]);
    for (i = 0; i < (int)code.argument_count; i++) {
        FUZZ_CHECK(found[0][i].is_known == found[1][i].is_known);
        FUZZ_CHECK(found[0][i].value == found[1][i].value);
        FUZZ_CHECK(found[0][i].is_known || !found[0][i].is_certain);
        FUZZ_CHECK(code.sizes[i] == 8 || found[0][i].value <= UINT32_MAX);
    }
    mq_machine_becomes(decoders, &code.map, code.machine, code.code.address,
                       &target);
    mq_decoders_destroy(decoders);
    return 0;
}
