def main():
    options = arguments()
    with @OPENED@:
        graph = compile_graph(@GIVEN@)
        given = Command(resume=options.answer) if options.answers else options.input
        config = {"configurable": {"thread_id": options.thread}}
        result = graph.invoke(given, config@DURABILITY@)
    print(json.dumps(result, default=shown, ensure_ascii=False, indent=2))


def arguments():
    parser = argparse.ArgumentParser(prog="python -m @PACKAGE@", description=__doc__)
    parser.add_argument("--input", type=json.loads, metavar="JSON", help="starts a run; without it the thread goes on")
    parser.add_argument("--answer", type=json.loads, metavar="JSON", help="answers the question that the thread asked")
    parser.add_argument("--thread", default="main", help="thread_id (default: main)")
    parser.add_argument("--db", default="checkpoints.sqlite", help="checkpoint database (default: %(default)s)")
    options = parser.parse_args()
    options.answers = any(word.split("=")[0] == "--answer" for word in sys.argv[1:])
    return options


def shown(value):
    """What JSON does not know: messages, interrupts, sets."""
    if isinstance(value, BaseMessage):
        return {"type": value.type, "content": value.content, "id": value.id}
    if isinstance(value, Interrupt):
        return {"value": value.value, "id": value.id}
    return sorted(value) if isinstance(value, (set, frozenset)) else repr(value)


if __name__ == "__main__":
    main()
