/* thrift.h - sampling budget: how often ranks may be stopped
 *
 * A watch looks at ranks again and again: mostly by their pulse, and seldom by
 * reading all of them.  Both may stop them; in all they are to be stopped for
 * no more than a hundredth of the time, whatever a look costs on a machine with
 * much else to do.  Times are in seconds.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_THRIFT_H
#define MQ_THRIFT_H

/* The time since the beginning after which ranks that were stopped for STOPPED
 * may be read again, if that costs COST.
 */
double mq_thrift_due(double stopped, double cost);

/* The pause that follows a pulse that cost COST, which leaves half of what they
 * may be stopped for to readings.
 */
double mq_thrift_pause(double cost);

/* The time that ranks must have stood still before they are read earlier, if
 * that costs COST: then the job does not go on, and loses little by it.
 */
double mq_thrift_patience(double cost);

#endif
