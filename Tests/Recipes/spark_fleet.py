"""Spark: the way for many machines. In a folder with 'partitions' in it.

The program 'staty' has to be on the PATH of those who work; it is the only thing that is.
"""

import os
import sys

from pyspark.sql import SparkSession

import answers

LINES = (
    "type STRING, uuid STRING, app STRING, app_version STRING, os STRING, seq BIGINT, t_ns BIGINT,"
    " kind STRING, controller STRING, visit BIGINT, state STRING"
)
VERDICTS = (
    "session STRING, app STRING, app_version STRING, os STRING, verdict STRING,"
    " findings ARRAY<STRUCT<code STRING, severity STRING, controller STRING, visit BIGINT,"
    " state STRING, seq BIGINT, detail STRING>>"
)

plan = answers.plan()
prologue, questions = answers.questions(os.path.join(os.path.dirname(__file__), "spark.sql"))
spark = (
    SparkSession.builder.appName("fleet").config("spark.sql.shuffle.partitions", "8")
    .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")

# A file is a part of the input; so many of them go through one 'staty filter' that each processor
# has several of it to run.
context = spark.sparkContext
parts = context.textFile("partitions/*/*/*.ndjson").coalesce(4 * context.defaultParallelism)
# Without being told, 'pipe' gives a program no environment, and so no path to be found on.
verdicts = parts.pipe("staty filter", env={"PATH": os.environ["PATH"]}, checkCode=True)
spark.read.schema(VERDICTS).json(verdicts).cache().createOrReplaceTempView("verdicts")
# The folder and not a pattern, of which each file would be looked up by a task of its own.
lines = (
    spark.read.schema(LINES).option("recursiveFileLookup", True)
    .option("pathGlobFilter", "*.ndjson").json("partitions")
)
lines.where("type IS NOT NULL").cache().createOrReplaceTempView("lines")

for statement in prologue.split(";"):
    if any(line and not line.startswith("--") for line in statement.split("\n")):
        spark.sql(statement)
# A session of a file that was cut has a verdict for each piece.
given, judged = spark.sql("SELECT count(*), count(DISTINCT session) FROM verdicts").first()
sessions = spark.sql("SELECT count(*) FROM sessions").first()[0]
if not given == judged == sessions:
    sys.exit(f"spark: {given} verdicts of {judged} sessions, where there are {sessions}")
found = {name: [tuple(row) for row in spark.sql(sql).collect()] for name, sql in questions.items()}
spark.stop()
answers.tell("spark", found, plan)
