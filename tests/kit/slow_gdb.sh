# slow_gdb.sh - a gdb for tests that need to know when it has attached to a
# process: a script sources this file after harness.sh and gives mqdump --gdb
# "$slow_gdb".  The file $ATTACHED appears then, with gdb's own pid, and gdb
# goes on when it is removed.
#
# SPDX-License-Identifier: BSD-2-Clause

slow_gdb=$scratch/slow-gdb
export ATTACHED="$scratch/attached"

cat > "$scratch/hook.py" << 'END'
import gdb, os, time
execute = gdb.execute
def slowly(command, *rest, **more):
    result = execute(command, *rest, **more)
    if command.startswith("attach"):
        place = os.environ["ATTACHED"]
        new = "%s.%d" % (place, os.getpid())
        with open(new, "w") as file:
            file.write("%d\n" % os.getpid())
        os.rename(new, place)
        while os.path.exists(place):
            time.sleep(0.05)
    return result
gdb.execute = slowly
END
cat > "$slow_gdb" << END
#!/bin/sh
exec gdb -iex "source $scratch/hook.py" "\$@"
END
chmod +x "$slow_gdb"
