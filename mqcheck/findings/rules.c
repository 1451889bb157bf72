/* rules.c - rules for message-queue and handle DLLs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/findings/rules.h"

const struct rule_facts rules[rule_count] = {
    { "", dlls_ANY, "", "" },
#define RULE(name, dlls, sentence, reference) \
    { #name, dlls_##dlls, sentence, reference },
    MQCHECK_RULES(RULE)
#undef RULE
};
