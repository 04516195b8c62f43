"""LangGraph's own store on a file: argv[1] the file, argv[2] the steps as JSON. Prints what was found."""

import json, sqlite3, sys
from langgraph.store.sqlite import SqliteStore
with SqliteStore.from_conn_string(sys.argv[1]) as store:
    store.setup()
    found = {}
    for step in json.loads(sys.argv[2]):
        if step[0] == "put":
            store.put(tuple(step[1]), step[2], step[3], ttl=step[4] if len(step) > 4 else None)
        elif step[0] == "get":
            item = store.get(tuple(step[1]), step[2])
            found["get"] = None if item is None else [list(item.namespace), item.key, item.value]
        elif step[0] == "search":
            found["search"] = sorted([i.key for i in store.search(tuple(step[1]), filter=step[2], limit=50)])
        elif step[0] == "list":
            found["list"] = sorted([list(n) for n in store.list_namespaces(max_depth=step[1])])
        elif step[0] == "delete":
            store.delete(tuple(step[1]), step[2])
    print(json.dumps(found))
