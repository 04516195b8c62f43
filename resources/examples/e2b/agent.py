"""An agent of LangChain that computes in a sandbox: python3 agent.py "What is the sum of the squares from 1 to 100?"

The model is that of OPENAI_BASE_URL and OPENAI_API_KEY, the sandbox that of E2B_API_URL, E2B_SANDBOX_URL and E2B_API_KEY."""

import os
import sys

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from old_sdk import CodeInterpreter

PROMPT = "You answer questions. Where there is something to compute, do it with run_python, and print what you want to know."


def report(execution):
    if execution.error:
        return "%s: %s" % (execution.error.name, execution.error.value)
    parts = [execution.logs.stdout]
    if execution.logs.stderr:
        parts.append("stderr: " + execution.logs.stderr)
    if execution.text is not None:
        parts.append("result: " + execution.text)
    return "\n".join(part for part in parts if part) or "done, without output"


def tool_in(interpreter):
    """A tool whose calls share their names, in one sandbox; without an interpreter each call has a sandbox of its own."""

    @tool
    def run_python(code: str) -> str:
        """Runs Python code in an isolated sandbox and returns what it printed and the value of its last line."""
        if interpreter is not None:
            return report(interpreter.notebook.exec_cell(code))
        with CodeInterpreter(timeout=120) as own:
            return report(own.notebook.exec_cell(code))

    return run_python


def answer(question, keeps_names):
    model = ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"), max_retries=1)
    interpreter = CodeInterpreter(timeout=600) if keeps_names else None
    try:
        agent = create_agent(model, [tool_in(interpreter)], system_prompt=PROMPT)
        return agent.invoke({"messages": [("user", question)]})["messages"]
    finally:
        if interpreter is not None:
            interpreter.close()


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--keep-names"]
    for message in answer(" ".join(words), "--keep-names" in sys.argv):
        print("%s: %s" % (message.type, message.text or [call["args"] for call in getattr(message, "tool_calls", [])]))
