"""Names of packages that stand here for a part of themselves only."""


def says_what_to_do(module, package, why=None):
    """A module's __getattr__: what the real one may have, and this has not, is an ImportError that helps."""

    def missing(name):
        if name.startswith("__"):
            raise AttributeError("module %r has no attribute %r" % (module, name))
        raise ImportError(
            "%s.%s is not part of a session%s; to use it there, add %s to the graph's requirements "
            '("sandbox": {"requirements": […]})' % (module, name, ": " + why if why else "", package)
        )

    return missing
