/* handle_truth.h - expected answers for the process of handle_scenario.h */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_HANDLE_TRUTH_H
#define MQCHECK_HANDLE_TRUTH_H

/* Lines as handle_tour_take writes them. */
extern const char handle_truth[];

#endif
