"""The program that executes a session's code inside its sandbox. See ../PROTOCOL.md."""
