/* sampling_budget.h - sampling budget: how often ranks may be stopped
 *
 * A watch samples ranks repeatedly: mostly by their pulse, and seldom by
 * reading all of them.  Both may stop them; in total they are stopped for no
 * more than a hundredth of the time, whatever a look costs on a busy machine.
 * Times are in seconds.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SAMPLING_BUDGET_H
#define MQ_SAMPLING_BUDGET_H

/* The earliest time, since the beginning, of the next reading that costs COST,
 * for ranks that have been stopped for STOPPED.
 */
double mq_sampling_due(double stopped, double cost);

/* The pause after a pulse that cost COST; it leaves half of the budget to
 * readings.
 */
double mq_sampling_pause(double cost);

/* The time without progress after which a reading that costs COST may come
 * earlier: a hung job loses little by it.
 */
double mq_sampling_patience(double cost);

#endif
