"""Packages of which this folder has only a part under the package's own name."""


def says_what_to_do(module, package, why=None):
    """Makes a module's __getattr__: a name that only the real module has raises an ImportError that says what to do."""

    def missing(name):
        if name.startswith("__"):
            raise AttributeError("module %r has no attribute %r" % (module, name))
        raise ImportError(
            "%s.%s is not part of a session%s; to use it there, add %s to the graph's requirements "
            '("sandbox": {"requirements": […]})' % (module, name, ": " + why if why else "", package)
        )

    return missing
