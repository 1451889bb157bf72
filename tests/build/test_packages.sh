# test_packages.sh - the RPM's specification and Spack's recipe
# tier: builds
#
# The RPM's specification and Spack's recipe: they are well formed, and name all
# that is installed and this version.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

version=$(sed -n 's/^#define MQ_VERSION "\(.*\)"/\1/p' debugger/base/version.h)

# Each installed file once, as the packages name it.
make -s install DESTDIR="$scratch/root" PREFIX=/usr LIBDIR=lib64 watch_found= \
    BUILD="$BUILD" > "$scratch/log" 2>&1 || fail 'make install' < "$scratch/log"
(cd "$scratch/root" && find . ! -type d) | sed 's/^\.//' | LC_ALL=C sort \
    > "$scratch/installed"

if command -v rpmspec > "$scratch/which"; then
    rpmspec --define '_lib lib64' --define '_libdir /usr/lib64' -P \
        package/libtvmpich.spec > "$scratch/spec" 2> "$scratch/log"
    check_equal 'specification' "$(cat "$scratch/log")" ''
    check_contains "the RPM's version" \
        "$(tr -s ' ' < "$scratch/spec")" "Version: $version"
    # What is packaged, as patterns that match from the beginning of a path.
    sed -n '/^%files/,$s|^/|/|p' "$scratch/spec" | while read -r pattern; do
        (cd "$scratch/root" && find . ! -type d \( -path ".$pattern" -o \
            -path ".$pattern/*" \)) | sed 's/^\.//'
    done | LC_ALL=C sort > "$scratch/packaged"
    sort -u "$scratch/packaged" > "$scratch/once"
    check_same 'RPM files' "$scratch/once" \
        "$scratch/installed"
else
    skip 'the specification' 'no rpmspec'
fi

if command -v python3 > "$scratch/which"; then
    python3 - > "$scratch/recipe" 2>&1 << 'END'
import ast
tree = ast.parse(open("package/spack/package.py").read())
recipe = [node for node in tree.body if isinstance(node, ast.ClassDef)][0]
calls = [node.value for node in recipe.body if isinstance(node, ast.Expr)
         and isinstance(node.value, ast.Call)]
print(recipe.name, [call.args[0].value for call in calls
                    if call.func.id == "version"])
END
    check_equal "Spack's recipe" "$(cat "$scratch/recipe")" \
        "Libtvmpich ['$version']"
else
    skip "Spack's recipe" 'no python3'
fi

tests_end
