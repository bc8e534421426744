"""DuckDB: the way for one big machine. In a folder with 'partitions' in it."""

import os

import duckdb

import answers

plan = answers.plan()
prologue, questions = answers.questions(os.path.join(os.path.dirname(__file__), "duckdb.sql"))
engine = duckdb.connect()
engine.execute(prologue)
found = {name: engine.execute(sql).fetchall() for name, sql in questions.items()}
answers.tell("duckdb", found, plan)
