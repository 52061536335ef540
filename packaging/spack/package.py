"""Leadline as a package of Spack 1; docs/howto.md says how to install a checkout with it."""

from spack.package import depends_on, license, version  # its directives
from spack_repo.builtin.build_systems.python import PythonPackage


class Leadline(PythonPackage):
    """Measures, compares, models, maps and simulates message passing."""

    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type=("build", "run"))  # kernels are compiled where they run
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-hatchling@1.24:", type="build")
    depends_on("py-numpy@1.26:", type=("build", "run"))
    depends_on("py-duckdb@1.0:", type=("build", "run"))
    depends_on("py-matplotlib@3.8:", type=("build", "run"))
    depends_on("py-msgspec@0.18.6:", type=("build", "run"))
    depends_on("py-orjson@3.9:", type=("build", "run"))
    depends_on("py-rich@13.0:", type=("build", "run"))
    depends_on("py-scipy@1.11:", type=("build", "run"))
