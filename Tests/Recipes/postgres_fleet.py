"""PostgreSQL, on a server of its own that goes afterwards. In a folder with 'partitions' in
it."""

import csv
import glob
import io
import os
import pwd
import shutil
import subprocess
import tempfile

import answers

plan = answers.plan()
programs = max(glob.glob("/usr/lib/postgresql/*/bin"))
# The server refuses to be run by root.
user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
folder = tempfile.mkdtemp(prefix="staty-postgres-")
if os.getuid() == 0:
    shutil.chown(folder, user)


def server(*command):
    """Runs a program of the server as who may run it."""
    runs = dict(user=user, group=user) if os.getuid() == 0 else {}
    subprocess.run(
        [os.path.join(programs, command[0]), *command[1:]], check=True, cwd=folder,
        stdout=subprocess.DEVNULL, **runs)


def psql(*arguments):
    return subprocess.run(
        ["psql", "-h", folder, "-U", "staty", "-d", "postgres", "-q", "-X", "-v", "ON_ERROR_STOP=1",
         *arguments], check=True, capture_output=True, text=True).stdout


data = os.path.join(folder, "data")
try:
    server("initdb", "-D", data, "-U", "staty", "-A", "trust", "-E", "UTF8", "--no-sync")
    server("pg_ctl", "-D", data, "-w", "-l", os.path.join(folder, "log"), "-o",
           f"-k {folder} -c listen_addresses='' -c fsync=off", "start")
    try:
        sql = os.path.join(os.path.dirname(os.path.abspath(__file__)), "postgres.sql")
        prologue, questions = answers.questions(sql)
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write(prologue)
            script.flush()
            psql("-f", script.name)
        found = {name: list(csv.reader(io.StringIO(psql("--csv", "-t", "-c", sql))))
                 for name, sql in questions.items()}
    finally:
        server("pg_ctl", "-D", data, "-m", "immediate", "stop")
finally:
    shutil.rmtree(folder)
answers.tell("postgres", found, plan)
