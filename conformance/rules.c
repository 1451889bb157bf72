/* The rules' table as an array. */
#include "conformance/rules.h"

const struct rule_facts rules[rule_count] = {
    { "", "", "" },
#define RULE(name, sentence, reference) { #name, sentence, reference },
    MQCHECK_RULES(RULE)
#undef RULE
};
