def node(state, config):
    raise OSError("the archive is closed today")  # the node's error handler goes on with a recorded error
