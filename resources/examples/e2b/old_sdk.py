"""The API that e2b_code_interpreter had before version 1, on top of the present SDK: for programs that were written for it.

    from old_sdk import CodeInterpreter

takes the place of `from e2b_code_interpreter import CodeInterpreter`."""

from types import SimpleNamespace

from e2b_code_interpreter import Sandbox


class CodeInterpreter:
    def __init__(self, template=None, timeout=None, **settings):
        self.sandbox = Sandbox.create(template, timeout=timeout, **settings)
        self.notebook = SimpleNamespace(exec_cell=self._exec_cell)
        files, commands = self.sandbox.files, self.sandbox.commands
        self.filesystem = SimpleNamespace(read=files.read, write=files.write, list=files.list, make_dir=files.make_dir, remove=files.remove)
        self.process = SimpleNamespace(start=lambda command: commands.run(command, background=True), start_and_wait=commands.run)

    @property
    def id(self):
        return self.sandbox.sandbox_id

    def _exec_cell(self, code, **more):
        """What was printed is one text, as those programs add it to others."""
        done = self.sandbox.run_code(code, **more)
        logs = SimpleNamespace(stdout="".join(done.logs.stdout), stderr="".join(done.logs.stderr))
        return SimpleNamespace(logs=logs, results=done.results, error=done.error, text=done.text)

    def close(self):
        self.sandbox.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
