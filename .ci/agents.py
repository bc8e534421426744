"""An agent without a model: asks `staty mcp` about a folder of recordings, in the order that its page names.

It knows nothing of the folder but what the tools say.
"""

import asyncio
import json
import pathlib
import sys

from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters


def expect(holds, what):
    if not holds:
        raise SystemExit(f"agents: {what}")


class Agent:
    def __init__(self, client, validator):
        self.client, self.validator = client, validator
        self.calls = 0

    async def ask(self, tool, **arguments):
        """What a tool says of a right question: its data, or its text if it has none."""
        result = await self.client.call_tool(tool, arguments)
        self.calls += 1
        text = result.content[0].text
        expect(not result.is_error, f"{tool} {arguments}: {text}")
        expect(len(text.encode()) <= 60_000, f"{tool} answers with {len(text)} characters")
        if result.structured_content is None:
            return text
        expect(json.loads(text) == result.structured_content, f"the text of {tool} is not its data")
        if tool in ("why", "explore", "minimize", "replay", "what-if"):
            for error in self.validator.iter_errors(result.structured_content):
                raise SystemExit(f"agents: {tool}: {error.json_path}: {error.message[:200]}")
        return result.structured_content

    async def refused(self, tool, **arguments):
        """What a tool says of a wrong question."""
        result = await self.client.call_tool(tool, arguments)
        self.calls += 1
        expect(result.is_error, f"{tool} {arguments} is answered")
        return result.content[0].text


async def fix_a_bug(agent):
    names = [tool.name for tool in (await agent.client.list_tools()).tools]
    expect(names[:6] == ["sessions", "check", "why", "explore", "minimize", "test"], f"the tools are {names}")

    files = [row["file"] for row in (await agent.ask("sessions"))["rows"]]
    findings = {}
    for file in files:
        sessions = (await agent.ask("check", file=file))["sessions"]
        findings[file] = [finding for session in sessions for finding in session["findings"]]
    broken = [file for file in files if any(
        finding["code"] == "never-entered" and "alert" == finding["state"] for finding in findings[file])]
    expect(len(broken) == 1, f"the alert never shows in {broken} of {files}")
    file = broken[0]

    why = await agent.ask("why", file=file, what="never-entered")
    expect("request for 'alert'" in why["sentence"] and why["nearest"], f"why says {why['sentence']}")
    explored = (await agent.ask("explore", file=file, rule=["never-entered"]))["verdicts"][0]
    expect(explored["verdict"] == "broken" and explored["orders"], f"explore says {explored['sentence']}")
    small = (await agent.ask("minimize", file=file, rule=["never-entered"]))["verdicts"][0]
    expect(small["requests"]["after"] < small["requests"]["before"], f"minimize says {small['sentence']}")
    replayed = (await agent.ask("replay", file=small["output"]))["verdicts"][0]
    expect(replayed["verdict"] == "reproduced", f"replay says {replayed['sentence']}")
    changed = (await agent.ask("what-if", file=file, skip=[str(why["seq"])]))["verdicts"][0]
    expect(changed["verdict"] == "fixed", f"what-if says {changed['sentence']}")
    source = await agent.ask("test", file=small["output"])
    expect("@Test" in source and "expectNoFindings()" in source, f"the test is {source}")
    expect(source.count(".request(") == small["requests"]["after"], f"the test is not minimal: {source}")
    views = {row["view"] for row in (await agent.ask("views"))["rows"]}
    rows = (await agent.ask("query", file=file, sql="SELECT DISTINCT code FROM violations"))["rows"]
    expect("violations" in views and {"code": "never-entered"} in rows, f"query says {rows}")
    return small["sentence"]


async def ask_wrongly(agent, folder):
    for path in ("../other.sqlite", "/etc/passwd", "link.sqlite"):
        expect("outside of" in await agent.refused("check", file=path), f"{path} is not outside")
    expect("has no argument" in await agent.refused("check", path="x"), "a wrong argument")
    expect("more than read" in await agent.refused(
        "query", file="second-last.sqlite", sql="DELETE FROM visits"), "a statement that writes")
    try:
        await agent.client.call_tool("rm", {"file": "second-last.sqlite"})
        raise SystemExit("agents: there is a tool 'rm'")
    except MCPError as error:
        expect(error.code == -32602, f"an unknown tool has the code {error.code}")
    await agent.ask("check", file="second-last.sqlite")


async def main(tool, folder, schema):
    folder = pathlib.Path(folder)
    (folder.parent / "other.sqlite").write_bytes((folder / "second-last.sqlite").read_bytes())
    (folder / "link.sqlite").symlink_to("../other.sqlite")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    validator = Draft202012Validator(json.loads(pathlib.Path(schema).read_text()))
    server = StdioServerParameters(command=tool, args=["mcp", str(folder)])
    # As it is used by default, and with the handshake alone.
    for mode in ("auto", "legacy"):
        async with Client(server, mode=mode, read_timeout_seconds=120) as client:
            expect(str(folder) in client.instructions, f"the instructions are {client.instructions}")
            agent = Agent(client, validator)
            found = await fix_a_bug(agent)
            await ask_wrongly(agent, folder)
            print(f"agents: {client.protocol_version}, {agent.calls} calls: {found}")
    expect(before == {path.name: path.read_bytes() for path in folder.iterdir()}, "the folder was changed")


asyncio.run(main(*sys.argv[1:]))
