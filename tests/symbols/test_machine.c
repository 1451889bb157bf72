/* test_machine.c - arguments from recorded machine code
 *
 *     long callee(void *buf, int count, void *datatype, int source, int tag,
 *                 long comm, void *status, int index, long color, int key)
 *     {
 *         long local[4] = { count, tag, comm, key };
 *         int peer = source, weight = key;
 *         take(local);
 *         if (count < 0)
 *             take(&peer);
 *         take(&weight);
 *         wait_there();
 *         take(&color);
 *         ...
 *     }
 *
 *     long outer(int count)
 *     {
 *         int me, size;
 *         long status[3];
 *         get_rank(&me);
 *         get_size(&size);
 *         take(status);
 *         return callee(buffer, 5, &world, (me + size - 1) % size, 17,
 *                       0x1234567890, status, count, 99, -2) + 1;
 *     }
 *
 * as rank 3 of 8, with count 1.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <elf.h>

#include "tests/kit/harness.h"
#include "tests/kit/recorded_code.h"

static struct recorded_code code;

static void read_recording(const char *name)
{
    static unsigned char bytes[recorded_bytes];
    struct fuzz_input input = { bytes, 0 };
    FILE *file;
    char path[64];

    snprintf(path, sizeof path, "tests/data/corpus/machine/%s", name);
    file = fopen(path, "rb");
    if (CHECK(file != NULL)) {
        input.length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
    }
    recorded_code_read(&input, &code);
}

static enum mq_result recover(struct mq_recovered *found)
{
    struct mq_decoders *decoders;
    enum mq_result result = mq_decoders_create(NULL, &decoders);

    memset(found, 0, recorded_arguments * sizeof *found);
    if (result != mq_ok)
        return result;
    result = mq_machine_recover(decoders, &code.map, code.machine, code.frames,
                                code.frame_count, code.which, code.sizes,
                                code.argument_count, found);
    mq_decoders_destroy(decoders);
    return result;
}

/* In words: what is told of each argument. */
static void tell(const char *name, char *text, size_t room)
{
    static const char *const names[] = {
        "buf", "count", "datatype", "source", "tag", "comm", "status", "index",
        "color", "key"
    };
    struct mq_recovered found[recorded_arguments];
    size_t used = 0, i;

    read_recording(name);
    text[0] = '\0';
    CHECK_INT(recover(found), mq_ok);
    for (i = 0; i < 10; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 found[i].is_known ? "%s %llx%s " : "%s ? ",
                                 names[i], (unsigned long long)found[i].value,
                                 found[i].is_certain ? "" : "?");
}

static const struct {
    const char *name, *told;
} recordings[] = {
    { "x86_64-O0", "buf 4a7300 count 5 datatype 4a7328 source 2 "
      "tag 11 comm 1234567890 "
      "status 7fffffffe460 index 1 color 63 key fffffffe " },
    { "x86_64-O1", "buf 4a7320 count 5 datatype 4a7300 source 2 "
      "tag 11 comm 1234567890 "
      "status 7fffffffe460 index 1 color 63 key fffffffe " },
    { "x86_64-O2", "buf 4a6320 count 5 datatype 4a6300 source 2 "
      "tag 11 comm 1234567890? "
      "status 7fffffffe470 index 1 color 63 key fffffffe " },
    { "aarch64-O0", "buf 492068 count 5 datatype 492090 source 2 "
      "tag 11 comm 1234567890 "
      "status 5500800510 index 1 color 63 key fffffffe " },
    { "aarch64-O1", "buf 492070? count 5 datatype 492068? source 2 "
      "tag 11 comm 1234567890 "
      "status 5500800520 index 1 color 63 key fffffffe " },
    { "aarch64-O2", "buf 492760 count 5 datatype 492750 source 2 "
      "tag 11? comm 1234567890? "
      "status ? index ? color 63 key fffffffe " }
};

static void test_recordings(void)
{
    char text[512];
    size_t i;

    for (i = 0; i < sizeof recordings / sizeof recordings[0]; i++) {
        test("%s", recordings[i].name);
        tell(recordings[i].name, text, sizeof text);
        CHECK_STRING(text, recordings[i].told);
    }
}

/* ---- Rules --------------------------------------------------------------- */

/* A function F of x86-64 that was called with two ints and has called G.  G is
 * at 0 in the code, and has returned to neither; H at 8 never returns, G2 at 12
 * is as G, F begins at 16.  Where it stands, F has used DEPTH bytes of its
 * stack, rbx has 0x33, and 28, 24 and 16 bytes below its caller's stack are
 * 0x20, 0x21 and 0x77; in G rdi has 0x77 and rsi 0x66.  TOLD are the two, "?"
 * for what is not known and behind what is doubtful.
 */
static const struct {
    const char *name, *told;
    unsigned depth, behind_call, length;
    unsigned char bytes[48];
} rules[] = {
    /* push rbx; mov edi,ebx; xor edi,edi; call G */
    { "kept in a register", "33, 66", 8, 10, 11, {
        0x53, 0x89, 0xfb, 0x31, 0xff, 0xe8, 0xe6, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; mov edi,8(rsp); xor edi,edi; call G */
    { "kept on the stack", "21, 66", 24, 15, 16, {
        0x48, 0x83, 0xec, 0x18, 0x89, 0x7c, 0x24, 0x08, 0x31, 0xff, 0xe8,
        0xe1, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; mov edi,8(rsp); lea 8(rsp),rdi; call G2; xor edi,edi;
     * xor esi,esi; call G
     */
    { "where others may write", "21?, ?", 24, 27, 28, {
        0x48, 0x83, 0xec, 0x18, 0x89, 0x7c, 0x24, 0x08, 0x48, 0x8d, 0x7c,
        0x24, 0x08, 0xe8, 0xea, 0xff, 0xff, 0xff, 0x31, 0xff, 0x31, 0xf6,
        0xe8, 0xd5, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; mov edi,8(rsp); lea 16(rsp),rdi; call G */
    { "below where others may write", "21, 66", 24, 18, 19, {
        0x48, 0x83, 0xec, 0x18, 0x89, 0x7c, 0x24, 0x08, 0x48, 0x8d, 0x7c,
        0x24, 0x10, 0xe8, 0xde, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; mov 1,ebx; xor edi,edi; call G */
    { "overwritten", "?, 66", 8, 15, 16, {
        0x53, 0x89, 0xfb, 0xbb, 0x01, 0x00, 0x00, 0x00, 0x31, 0xff, 0xe8,
        0xe1, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; mov edi,8(rsp); movb 0,9(rsp); xor edi,edi; call G */
    { "overwritten in part", "?, 66", 24, 20, 21, {
        0x48, 0x83, 0xec, 0x18, 0x89, 0x7c, 0x24, 0x08, 0xc6, 0x44, 0x24,
        0x09, 0x00, 0x31, 0xff, 0xe8, 0xdc, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; test esi,esi; je 1f; mov edi,ebx; jmp 2f; 1: mov esi,ebx;
     * 2: xor edi,edi; xor esi,esi; call G
     */
    { "another one on one of two ways", "?, ?", 8, 20, 21, {
        0x53, 0x85, 0xf6, 0x74, 0x04, 0x89, 0xfb, 0xeb, 0x02, 0x89, 0xf3,
        0x31, 0xff, 0x31, 0xf6, 0xe8, 0xdc, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; test esi,esi; je 1f; mov edi,ebx; jmp 2f; 1: mov edi,eax;
     * mov eax,ebx; 2: xor edi,edi; xor esi,esi; call G
     */
    { "the same one on both ways", "33, ?", 8, 22, 23, {
        0x53, 0x85, 0xf6, 0x74, 0x04, 0x89, 0xfb, 0xeb, 0x04, 0x89, 0xf8,
        0x89, 0xc3, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xda, 0xff, 0xff, 0xff,
        0xc3 } },
    /* push rbx; mov edi,ebx; 1: xor edi,edi; call G; add 1,ebx; jmp 1b */
    { "changed in a loop", "?, ?", 8, 10, 16, {
        0x53, 0x89, 0xfb, 0x31, 0xff, 0xe8, 0xe6, 0xff, 0xff, 0xff, 0x83,
        0xc3, 0x01, 0xeb, 0xf4, 0xc3 } },
    /* push rbx; mov edi,ebx; test esi,esi; cmove esi,ebx; xor edi,edi; xor
     * esi,esi; call G
     */
    { "chosen between two", "?, ?", 8, 17, 18, {
        0x53, 0x89, 0xfb, 0x85, 0xf6, 0x0f, 0x44, 0xde, 0x31, 0xff, 0x31,
        0xf6, 0xe8, 0xdf, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; movd edi,xmm0; movd esi,xmm1; punpckldq xmm1,xmm0; movq
     * xmm0,4(rsp); xor edi,edi; xor esi,esi; call G
     */
    { "two in a vector", "20, 21", 24, 31, 32, {
        0x48, 0x83, 0xec, 0x18, 0x66, 0x0f, 0x6e, 0xc7, 0x66, 0x0f, 0x6e,
        0xce, 0x66, 0x0f, 0x62, 0xc1, 0x66, 0x0f, 0xd6, 0x44, 0x24, 0x04,
        0x31, 0xff, 0x31, 0xf6, 0xe8, 0xd1, 0xff, 0xff, 0xff, 0xc3 } },
    /* sub 24,rsp; movd edi,xmm0; movd esi,xmm1; punpckldq xmm1,xmm0;
     * pshufd 0xe1,xmm0,xmm0; movq xmm0,4(rsp); xor edi,edi; xor esi,esi;
     * call G
     */
    { "shuffled", "21, 20", 24, 36, 37, {
        0x48, 0x83, 0xec, 0x18, 0x66, 0x0f, 0x6e, 0xc7, 0x66, 0x0f, 0x6e,
        0xce, 0x66, 0x0f, 0x62, 0xc1, 0x66, 0x0f, 0x70, 0xc0, 0xe1, 0x66,
        0x0f, 0xd6, 0x44, 0x24, 0x04, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xcc,
        0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; xchg esi,ebx; xor edi,edi; xor esi,esi; call
     * G
     */
    { "exchanged", "?, 33", 8, 14, 15, {
        0x53, 0x89, 0xfb, 0x87, 0xf3, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xe2,
        0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; lea 3f(rip),rdx; mov esi,eax; movslq
     * (rdx,rax,4),rax; add rdx,rax; jmp *rax; 1: nop; 2: xor edi,edi; xor
     * esi,esi; call G; ret; .balign 4; 3: .long 1b-3b, 2b-3b
     */
    { "behind a switch", "33, ?", 8, 31, 41, {
        0x53, 0x89, 0xfb, 0x48, 0x8d, 0x15, 0x16, 0x00, 0x00, 0x00, 0x89,
        0xf0, 0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0, 0xff, 0xe0, 0x90,
        0x31, 0xff, 0x31, 0xf6, 0xe8, 0xd1, 0xff, 0xff, 0xff, 0xc3, 0xf5,
        0xff, 0xff, 0xff, 0xf6, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; lea 3f(rip),rdx; mov esi,eax; movslq
     * (rdx,rax,4),rax; add rdx,rax; jmp *rax; 1: xor ebx,ebx; 2: xor
     * edi,edi; xor esi,esi; call G; ret; .balign 4; 3: .long 1b-3b, 2b-3b
     */
    { "a switch that changes it", "?, ?", 8, 32, 45, {
        0x53, 0x89, 0xfb, 0x48, 0x8d, 0x15, 0x1a, 0x00, 0x00, 0x00, 0x89,
        0xf0, 0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0, 0xff, 0xe0, 0x31,
        0xdb, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xd0, 0xff, 0xff, 0xff, 0xc3,
        0x0f, 0x1f, 0x00, 0xf1, 0xff, 0xff, 0xff, 0xf3, 0xff, 0xff, 0xff,
        0xc3 } },
    /* push rbx; mov edi,ebx; test esi,esi; je 1f; jmp *rax; 1: xor
     * edi,edi; xor esi,esi; call G
     */
    { "a jump to nobody knows where", "?, ?", 8, 18, 19, {
        0x53, 0x89, 0xfb, 0x85, 0xf6, 0x74, 0x02, 0xff, 0xe0, 0x31, 0xff,
        0x31, 0xf6, 0xe8, 0xde, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; test esi,esi; je 1f; call H; xor ebx,ebx; 1:
     * xor edi,edi; xor esi,esi; call G
     */
    { "behind what never returns", "33, ?", 8, 23, 24, {
        0x53, 0x89, 0xfb, 0x85, 0xf6, 0x74, 0x07, 0xe8, 0xec, 0xff, 0xff,
        0xff, 0x31, 0xdb, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xd9, 0xff, 0xff,
        0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; test esi,esi; je 1f; call G2; xor ebx,ebx; 1:
     * xor edi,edi; xor esi,esi; call G
     */
    { "behind what returns", "?, ?", 8, 23, 24, {
        0x53, 0x89, 0xfb, 0x85, 0xf6, 0x74, 0x07, 0xe8, 0xf0, 0xff, 0xff,
        0xff, 0x31, 0xdb, 0x31, 0xff, 0x31, 0xf6, 0xe8, 0xd9, 0xff, 0xff,
        0xff, 0xc3 } },
    /* sub 8,rsp; call G */
    { "still in the function called", "77, 66", 8, 9, 10, {
        0x48, 0x83, 0xec, 0x08, 0xe8, 0xe7, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rdi; xor edi,edi; mov esi,eax; xor esi,esi; pop rdi; sub 8,rsp;
     * call G
     */
    { "given back by a pop", "77, ?", 8, 17, 18, {
        0x57, 0x31, 0xff, 0x89, 0xf0, 0x31, 0xf6, 0x5f, 0x48, 0x83, 0xec,
        0x08, 0xe8, 0xdf, 0xff, 0xff, 0xff, 0xc3 } },
    /* push rbx; mov edi,ebx; test esi,esi; je 1f; .byte 0x06; 1: xor
     * edi,edi; xor esi,esi; call G
     */
    { "not where bytes cannot be decoded", "?, ?", 8, 17, 18, {
        0x53, 0x89, 0xfb, 0x85, 0xf6, 0x74, 0x01, 0x06, 0x31, 0xff, 0x31,
        0xf6, 0xe8, 0xdf, 0xff, 0xff, 0xff, 0xc3 } }
};

enum { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp };

enum { code_begin = 0x400000, stack_end = 0x7fff0000 };

static bool is_h(struct mq_code_map *map, uint64_t address, bool is_slot)
{
    (void)map;
    return !is_slot && address == code_begin + 8;
}

static void set_number(unsigned char *bytes, unsigned value)
{
    memset(bytes, 0, 4);
    bytes[0] = (unsigned char)value;
}

/* What stands in G, at the beginning of LENGTH bytes of code, and in F, which
 * has called it and uses DEPTH bytes of its stack, behind the return address if
 * there is one.
 */
static void make_call(const unsigned char *bytes, size_t length,
                      const unsigned *bounds, unsigned behind_call,
                      unsigned depth, unsigned return_address)
{
    const uint64_t top = stack_end - return_address - depth;
    const uint64_t pc = code_begin + behind_call;
    struct fuzz_input nothing = { bytes, 0 };
    size_t i;

    recorded_code_read(&nothing, &code);
    code.map.is_final = is_h;
    code.frame_count = 3;
    code.which = 1;
    code.sizes[0] = code.sizes[1] = 4;
    code.frames[0] = (struct mq_code_frame){
        code_begin, code_begin, top, { .known = 0 }
    };
    code.frames[1] = (struct mq_code_frame){
        pc, pc - 1, stack_end, { .known = 0 }
    };
    code.code.address = code_begin;
    code.code.length = 160;             /* a stub is looked for behind it */
    memset(code.code.bytes, 0, 160);
    memcpy(code.code.bytes, bytes, length);
    code.stack.address = stack_end - 64;
    code.stack.length = 64;
    memset(code.stack.bytes, 0, 64);
    for (i = 0; i < 3; i++) {
        code.bounds[i][0] = code_begin + bounds[i];
        code.bounds[i][1] = code_begin + bounds[i + 1];
    }
    code.function_count = 3;
}

static void set_registers(int sp, int first)
{
    uint64_t top = code.frames[0].cfa;
    bool is_arm = code.machine == EM_AARCH64;

    mq_register_set(&code.frames[0].registers, sp, top - (is_arm ? 0 : 8));
    mq_register_set(&code.frames[0].registers, first, 0x77);
    mq_register_set(&code.frames[1].registers, sp, top);
}

/* Makes the recording of rule I. */
static void make_rule(size_t i)
{
    static const unsigned bounds[] = { 0, 12, 16, 128 };
    unsigned char bytes[64] = {
        0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3, 0x90, 0x90, 0x90,
        0xc3, 0x90, 0x90, 0x90
    };

    memcpy(bytes + 16, rules[i].bytes, rules[i].length);
    make_call(bytes, 16 + rules[i].length, bounds, 16 + rules[i].behind_call,
              rules[i].depth, 8);
    code.argument_count = 2;
    set_registers(rsp, rdi);
    mq_register_set(&code.frames[0].registers, rsi, 0x66);
    mq_register_set(&code.frames[1].registers, rbx, 0x33);
    set_number(code.stack.bytes + 40, 0x21);
    set_number(code.stack.bytes + 36, 0x20);
    set_number(code.stack.bytes + 48, 0x77);
}

static void write_one(const struct mq_recovered *one, char *text, size_t room)
{
    snprintf(text, room, one->is_known ? "%llx%s" : "?",
             (unsigned long long)one->value, one->is_certain ? "" : "?");
}

static void test_rules(void)
{
    struct mq_recovered found[recorded_arguments];
    char text[2][20], both[48];
    size_t i;

    for (i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        test("%s", rules[i].name);
        make_rule(i);
        CHECK_INT(recover(found), mq_ok);
        write_one(&found[0], text[0], sizeof text[0]);
        write_one(&found[1], text[1], sizeof text[1]);
        snprintf(both, sizeof both, "%s, %s", text[0], text[1]);
        CHECK_STRING(both, rules[i].told);
    }
}

/* ---- Stubs --------------------------------------------------------------- */

/* G at 0, in which rdi or x0 has 0x77, was called through a linker's stub at 16
 * by F at 32, which has not got its argument any more.
 */
static const struct {
    const char *name;
    int machine;
    unsigned behind_call;
    unsigned char bytes[64];
} stubs[] = {
    /* G: ret; jmp *32(rip); F: sub 8,rsp; call 16; ret; behind that G's */
    { "a stub of x86-64", EM_X86_64, 9, {
        0xc3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0xff, 0x25, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0x48, 0x83, 0xec, 0x08, 0xe8, 0xe7, 0xff, 0xff, 0xff, 0xc3, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40 } },
    /* G: ret; adrp x16, 0; ldr x17, [x16, 56]; add x16, x16, 56; br x17;
     * F: stp x29, x30, [sp, -16]!; bl 16; ret
     */
    { "a stub of aarch64", EM_AARCH64, 8, {
        0xc0, 0x03, 0x5f, 0xd6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0x10, 0x00, 0x00, 0x90, 0x11, 0x1e, 0x40, 0xf9, 0x10, 0xe2, 0x00, 0x91,
        0x20, 0x02, 0x1f, 0xd6,
        0xfd, 0x7b, 0xbf, 0xa9, 0xfb, 0xff, 0xff, 0x97, 0xc0, 0x03, 0x5f, 0xd6,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40 } }
};

static void test_stubs(void)
{
    static const unsigned bounds[] = { 0, 16, 32, 48 };
    struct mq_recovered found[recorded_arguments];
    size_t i;

    for (i = 0; i < sizeof stubs / sizeof stubs[0]; i++) {
        bool is_arm = stubs[i].machine == EM_AARCH64;

        test("%s", stubs[i].name);
        make_call(stubs[i].bytes, sizeof stubs[i].bytes, bounds,
                  32 + stubs[i].behind_call, is_arm ? 16 : 8, is_arm ? 0 : 8);
        code.machine = stubs[i].machine;
        code.argument_count = 1;
        set_registers(is_arm ? 31 : rsp, is_arm ? 0 : rdi);
        CHECK_INT(recover(found), mq_ok);
        CHECK_INT(found[0].is_certain, 1);
        CHECK_INT(found[0].value, 0x77);
    }
}

/* ---- Mutations ----------------------------------------------------------- */

/* Whatever is changed at random, what is told is told. */
static void test_mutated(void)
{
    struct mq_recovered found[recorded_arguments];
    unsigned state = 1, round, change;
    size_t i;

    test("mutated recordings");
    for (round = 0; round < 600; round++) {
        read_recording(recordings[round % 6].name);
        for (change = 0; change < 4; change++) {
            state = state * 1103515245U + 12345U;
            code.code.bytes[(state >> 8) % code.code.length] ^=
                (unsigned char)(1U << (state >> 4) % 8);
            state = state * 1103515245U + 12345U;
            code.stack.bytes[(state >> 8) % code.stack.length] ^=
                (unsigned char)(state >> 4);
        }
        CHECK_INT(recover(found), mq_ok);
        for (i = 0; i < code.argument_count; i++)
            CHECK(found[i].is_known || !found[i].is_certain);
    }
}

int main(void)
{
    struct mq_recovered found[recorded_arguments];

    if (mq_machine_library() == NULL) {
        test("without capstone nothing is told");
        read_recording("x86_64-O0");
        CHECK_INT(recover(found), mq_absent);
        return tests_end();
    }
    test_recordings();
    test_rules();
    test_stubs();
    test_mutated();
    return tests_end();
}
