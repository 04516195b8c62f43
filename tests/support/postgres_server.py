"""A PostgreSQL server of a test's own: on a unix socket, in a folder of its own, without fsync."""
import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


def programs():
    """The folder of the server's programs, which Debian keeps out of the PATH; SG_POSTGRES_BIN names another."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda name: int(name.split("/")[4]))
    return pathlib.Path(os.environ.get("SG_POSTGRES_BIN") or (os.path.dirname(found[-1]) if found else "/none"))


class PostgresServer:
    def __init__(self, options=()):
        self.options = list(options)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sg-pg-"))
        self.user = {}
        if os.geteuid() == 0:  # the server refuses to be root
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        self.log = open(self.folder / "log", "w")
        self.run("initdb", "-D", self.folder / "data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale")
        self.databases = {"postgres"}
        self.start()

    def run(self, program, *arguments):
        subprocess.run([programs() / program, *arguments], check=True, stdout=self.log, stderr=self.log, cwd=self.folder, **self.user)

    def start(self):
        settings = ["listen_addresses=", "fsync=off", "full_page_writes=off", "shared_buffers=16MB", *self.options]
        options = [word for setting in settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            [programs() / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
            stdout=self.log, stderr=self.log, cwd=self.folder, **self.user,
        )
        for _ in range(1000):
            if subprocess.run([programs() / "pg_isready", "-q", "-h", self.folder]).returncode == 0:
                return
            time.sleep(0.02)
        raise AssertionError("PostgreSQL does not start: " + (self.folder / "log").read_text())

    def stop(self, how=signal.SIGQUIT):
        self.process.send_signal(how)
        self.process.wait()

    def close(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, database, text):
        words = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "tester", "-d", database, "-c", text]
        return subprocess.run([programs() / "psql", *words], check=True, capture_output=True, text=True).stdout.strip()

    def address(self, database):
        """The address of a database, which is made when it is asked for first."""
        if database not in self.databases:
            self.sql("postgres", f'create database "{database}"')
            self.databases.add(database)
        return f"postgresql://tester@/{database}?host={self.folder}"
