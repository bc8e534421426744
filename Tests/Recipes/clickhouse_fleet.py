"""ClickHouse, its engine in this process (chdb). In a folder with 'partitions' in it."""

import csv
import io
import os

from chdb import session

import answers

plan = answers.plan()
sql = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clickhouse.sql")
prologue, questions = answers.questions(sql)
engine = session.Session()
for statement in prologue.split(";"):
    if any(line and not line.startswith("--") for line in statement.split("\n")):
        engine.query(statement)
found = {name: list(csv.reader(io.StringIO(str(engine.query(sql, "CSV")))))
         for name, sql in questions.items()}
answers.tell("clickhouse", found, plan)
