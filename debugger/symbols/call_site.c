/* call_site.c - source location of a call, from its return address */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/call_site.h"

#include "symbols/tail_calls.h"

enum mq_result mq_call_site_find(struct mq_places *places,
                                 struct mq_module *module,
                                 const struct mq_mpi_functions *functions,
                                 uint64_t behind, bool is_program,
                                 struct mq_error *error, struct mq_frame *site)
{
    const struct mq_place_list *chain[mq_most_tail_calls], *list;
    enum mq_result result = mq_places_at(places, module, behind - 1, error,
                                         &list);
    const struct mq_place *place;
    bool is_jump;

    if (result != mq_ok)
        return result;
    is_jump = mq_tail_calls_from(places, module, behind, functions, chain) > 0;
    place = &(is_jump ? chain[0] : list)->places[0];
    if (place->function == NULL)
        return mq_absent;
    *site = (struct mq_frame){
        .function = place->function, .file = place->file,
        .object = is_program ? NULL : mq_module_path(module),
        .offset = is_jump || list->beginning == 0 ? 0
                  : behind - list->beginning,
        .line = (int32_t)place->line
    };
    return mq_ok;
}
