# sentences.sh - extracts sentences from mqdump's output
#
# Each is here once, so that a sentence is made better in one place beside the
# golden files; what one test alone wants is there.  harness.sh reads this.
#
# SPDX-License-Identifier: BSD-2-Clause

# shellcheck disable=SC2034 # those who read this use them
{
    each_other='wait for each other'
    told_debugged='is marked as being debugged'
}
