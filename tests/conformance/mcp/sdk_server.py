"""A server made with the official SDK. usage: sdk_server.py [PORT]: over HTTP where a port is named."""

import asyncio
import sys
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("sdk-example", version="1.2", instructions="An example.")


class Name(BaseModel):
    name: str


class Sum(BaseModel):
    total: int


def ask_name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@server.tool()
def add(a: int, b: int) -> Sum:
    """Adds two numbers."""
    return Sum(total=a + b)


@server.tool()
async def slow(steps: int, ctx: Context) -> str:
    """Takes a while."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, "step %d" % (step + 1))
        await asyncio.sleep(0.05)
    return "done"


@server.tool()
def greet(who: Annotated[Name, Resolve(ask_name)]) -> str:
    """Asks for a name."""
    return "hello " + who.name


@server.tool()
def refuse() -> str:
    """Always fails."""
    raise ToolError("this is refused \x1b[31mred\x1b[0m")


@server.tool()
def large(size: int) -> str:
    """Gives back much text."""
    return "x" * size


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()
