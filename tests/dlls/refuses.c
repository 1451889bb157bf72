/* A DLL that can be loaded and knows no image. */
#include "../../mpi_interface.h"

enum { no = mqs_first_user_code };

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks)
{
    (void)callbacks;
}

char *mqs_version_string(void)
{
    static char text[] = "a DLL that refuses";

    return text;
}

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY;
}

int mqs_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

char *mqs_dll_error_string(int code)
{
    static char text[] = "not for this DLL";

    (void)code;
    return text;
}

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    (void)image;
    (void)callbacks;
    return mqs_ok;
}

int mqs_image_has_queues(mqs_image *image, char **message)
{
    static char text[] = "%s was configured in another way";

    (void)image;
    *message = text;
    return no;
}

int mqs_destroy_image_info(mqs_image_info *info)
{
    (void)info;
    return mqs_ok;
}

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    (void)process;
    (void)callbacks;
    return no;
}

int mqs_process_has_queues(mqs_process *process, char **message)
{
    (void)process;
    *message = NULL;
    return no;
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    (void)info;
    return mqs_ok;
}

int mqs_update_communicator_list(mqs_process *process)
{
    (void)process;
    return no;
}

int mqs_setup_communicator_iterator(mqs_process *process)
{
    (void)process;
    return no;
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *communicator)
{
    (void)process;
    (void)communicator;
    return no;
}

int mqs_next_communicator(mqs_process *process)
{
    (void)process;
    return no;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    (void)process;
    (void)op_class;
    return no;
}

int mqs_next_operation(mqs_process *process, mqs_pending_operation *operation)
{
    (void)process;
    (void)operation;
    return no;
}
