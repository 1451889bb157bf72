/* test_demangle.c - names of functions without debug information */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "tests/kit/harness.h"

/* WANTED is null where the symbol is the name. */
static const struct {
    const char *symbol, *wanted;
} names[] = {
    { "main", NULL },
    { "exchange_", NULL },
    { "__halo_MOD_exchange", "halo::exchange" },
    { "__halo_MOD_", NULL },
    { "___MOD_exchange", NULL },
    { "__libc_start_main", NULL },
    { "_Z7advanceid", "advance" },
    { "_ZN4halo8exchangeEv", "halo::exchange" },
    { "_ZNK6Solver3runEv", "Solver::run" },
    { "_ZN12_GLOBAL__N_14stepEi", "(anonymous namespace)::step" },
    { "_Z3runIiEvT_", "run<int>" },
    { "_ZN3foo4callEPFvvE", "foo::call" },
    { "_ZN6SolverclEi", "Solver::operator()" },
    { "_Z", NULL },
    { "_Znonsense", NULL }
};

static void check_name(const char *symbol, const char *wanted)
{
    char got[256] = "";
    bool is_other = mq_demangle(symbol, got, sizeof got);

    test("%s", symbol);
    CHECK_INT(is_other, wanted != NULL);
    CHECK_STRING(got, wanted != NULL ? wanted : "");
}

static void check_short(const char *name, const char *wanted)
{
    char text[256];

    test("%s", name);
    snprintf(text, sizeof text, "%s", name);
    mq_shorten_name(text);
    CHECK_STRING(text, wanted);
}

int main(void)
{
    bool has_cxx = dlopen("libstdc++.so.6", RTLD_NOW) != NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (has_cxx || strncmp(names[i].symbol, "_Z", 2) != 0)
            check_name(names[i].symbol, names[i].wanted);
    check_short("halo::exchange", "halo::exchange");
    check_short("run<int>", "run<int>");
    check_short("run<0123456789012345678901234567890123456789>::go",
              "run<0123456789012345678901234567890123456789>::go");
    check_short("run<01234567890123456789012345678901234567890>::go<int>",
              "run<0123456789012345678901234567890123456...>::go<int>");
    check_short("run<std::vector<double, std::allocator<double> >, A<B>>::go",
              "run<std::vector<double, std::allocator<do...>::go");
    check_short("run<a", "run<a");
    check_short("(anonymous namespace)::A<(anonymous namespace)::B>::go",
              "A<B>::go");
    check_short("run<std::__cxx11::list<int> >", "run<std::list<int> >");
    check_short("main::{lambda(int)#1}::operator()", "lambda in main");
    check_short("main::$_0::operator()", "lambda in main");
    check_short("(anonymous namespace)::A::go(int)::{lambda(double)#1}::"
              "operator()(double) const::{lambda(int)#1}::operator()",
              "lambda in A::go");
    check_short("run<main::{lambda(int)#1}>::operator()",
              "run<main::{lambda(int)#1}>::operator()");
    check_short("a::$_0::f", "a::$_0::f");
    check_short("A<b>::operator<<", "A<b>::operator<<");
    return tests_end();
}
