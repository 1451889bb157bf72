"""package.py - Spack's recipe for libtvmpich"""

# SPDX-License-Identifier: BSD-2-Clause

from spack.package import *


class Libtvmpich(MakefilePackage):
    """mqdump explains why an MPI job hangs; libtvmpich.so shows debuggers the
    message queues of MPICH 1.x."""

    license("BSD-2-Clause")

    # A checkout: spack develop libtvmpich@1.0, or url=file://... of make dist.
    version("1.0")

    variant("watch", default=False, description="libmqwatch, for this MPI")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("mpi", when="+watch")
    depends_on("pkgconfig", type="build")
    depends_on("capstone")
    depends_on("elfutils")

    def goals(self, spec):
        if not spec.satisfies("+watch"):
            return ["watch_found="]
        name = "openmpi" if spec.satisfies("^openmpi") else "mpich"
        return [
            "watch_found=" + name,
            "watch_compiler_{0}={1}".format(name, spec["mpi"].mpicc),
        ]

    def build(self, spec, prefix):
        make("all", *self.goals(spec))

    def check(self):
        Executable("build/mqcheck")("build/libtvmpich.so")

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix, *self.goals(spec))
