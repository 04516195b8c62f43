"""Random cases that use the whole case format: every channel, node option, result and operation."""
import json
import random

START, END = "__start__", "__end__"
TYPES = ["ValueError", "RuntimeError", "ConnectionError", "KeyError", "OSError", "Exception", "CustomError", "OtherError"]
MODES = ["values", "updates", "tasks", "checkpoints", "debug", "custom"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(f"wide-{seed}")
        self.asks = False
        self.subgraphs = []  # paths of names
        self.cached = False

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def some(self, items, most=3):
        items = list(items)
        return self.random.sample(items, min(len(items), self.random.randint(1, most)))

    def state(self, depth):
        state = {"log": {"type": "reduce", "reducer": "append"}, "cnt": {"type": "reduce", "reducer": "add"}, "x": {}}
        more = {
            "mx": {"type": "reduce", "reducer": "max"}, "mn": {"type": "reduce", "reducer": "min", "default": None},
            "mul": {"type": "reduce", "reducer": "mul", "default": 7}, "txt": {"type": "reduce", "reducer": "concat"},
            "mg": {"type": "reduce", "reducer": "merge"}, "un": {"type": "reduce", "reducer": "union"},
            "la": {"type": "reduce", "reducer": "last"}, "tp": {"type": "topic"}, "ta": {"type": "topic", "accumulate": True},
            "eph": {"type": "ephemeral", "guard": False}, "eg": {"type": "ephemeral"}, "ut": {"type": "untracked", "guard": False},
            "av": {"type": "any_value"}, "dl": {"type": "delta", "snapshot_frequency": self.random.randint(1, 4)},
            "rem": {"type": "remaining_steps"}, "lst": {"type": "is_last_step"},
            "msg": {"type": "reduce", "reducer": "add_messages"},
        }
        for key in more:
            if self.chance(0.22):
                state[key] = more[key]
        return state

    def values(self, state, name):
        """jq text of an update."""
        texts = {
            "log": '["%s"]' % name, "cnt": "1", "x": str(self.random.randint(0, 4)), "mx": str(self.random.randint(-9, 9)), "mn": str(self.random.randint(-9, 9)),
            "mul": "2", "txt": '"%s;"' % name, "mg": '{%s:%d}' % (self.pick("ab"), self.random.randint(0, 3)), "un": '["%s","all"]' % name,
            "la": '"%s"' % name, "tp": self.pick(['["%s"]' % name, '"%s"' % name]), "ta": '[["%s"],1]' % name, "eph": '"%s"' % name, "eg": '"%s"' % name,
            "ut": '{u:"%s"}' % name, "av": '"%s"' % name, "dl": '["%s"]' % name,
            "msg": '[{role:"%s",content:"%s",id:"%s"}]' % (self.pick(["user", "ai", "system"]), name, self.pick(["1", "2", name])),
        }
        chance = {"log": 0.9, "cnt": 0.9, "x": 0.12}
        out = {}
        for key in state:
            if key in texts and self.chance(chance.get(key, 0.5)):
                out[key] = texts[key]
        if self.chance(0.05):
            out["log"] = '{"__overwrite__":["ow"]}'
        if "dl" in out and self.chance(0.08):
            out["dl"] = '{"__overwrite__":["owd"]}'
        if "log" in out and self.chance(0.1):
            out["log"] = '[.cnt,(.x // null)]' if not self.chance(0.3) else '[[keys]]'
        if self.chance(0.04):
            out["unknown"] = "1"
        return "{" + ",".join(f"{key}:{text}" for key, text in out.items()) + "}"

    def goto(self, names, depth):
        r = self.random.random()
        target = self.pick(names)
        if r < 0.5:
            return json.dumps(target)
        if r < 0.65:
            return json.dumps([self.pick(names), END])
        if r < 0.75:
            return json.dumps("nowhere")
        return '[{__send__:{node:"%s",arg:{v:.x,cnt:0,log:[]}}},"%s"]' % (target, self.pick(names))

    def result(self, state, name, names, depth):
        update = self.values(state, name)
        r = self.random.random()
        if r < 0.10:
            parent = ',graph:"parent"' if depth and self.chance(0.5) else ""
            goto = self.goto(self.parent_names if parent else names, depth)
            command = '{__command__:{update:%s,goto:%s%s}}' % (update, goto, parent)
            return "if (.cnt // 0)>9 then {cnt:1} else %s end" % command
        if r < 0.13:
            return '{__list__:[%s,{__command__:{update:%s}}]}' % (update, self.values(state, name + "'"))
        if r < 0.17:
            return "null"
        if r < 0.22:
            return '{__custom__:[{from:"%s"},1]}+%s' % (name, update)
        if r < 0.25:
            return 'if (.cnt // 0)%%3==1 then {__error__:{type:"%s",message:"now"}} else %s end' % (self.pick(TYPES), update)
        return update

    def ask(self, name, state):
        self.asks = True
        count = self.pick([1, 1, 2, 3])
        question = self.pick(['"ask %s "+(.resume|length|tostring)' % name, '{q:"%s",n:(.resume|length)}' % name, '"same"'])
        update = '{log:[["%s"]+.resume],cnt:1}' % name
        if self.chance(0.2):
            update = 'if .runs%%2==0 then {__error__:{type:"%s",message:"asked"}} else %s end' % (self.pick(TYPES), update)
        return "if (.resume|length)<%d then {__interrupt__:(%s)} else %s end" % (count, question, update)

    def retry(self):
        policy = {"max_attempts": self.random.randint(1, 3)}
        if self.chance(0.5):
            policy["retry_on"] = self.some(TYPES)
        return policy

    def node(self, name, names, state, depth, path, sends):
        node = {"name": name}
        r = self.random.random()
        if r < 0.15 and not sends:
            node.update(meta=True, jq=self.ask(name, state))
        elif r < 0.30 and depth < 2:
            outer, self.parent_names = getattr(self, "parent_names", []), names
            node["subgraph"] = self.graph(depth + 1, path + [name])
            self.parent_names = outer
            if self.chance(0.25):
                node["subgraph"]["checkpointer"] = self.pick([True, False])
            if self.chance(0.5) or sends:
                node["in"] = '{x:(.x // 1),log:[]}'
                node["out"] = '{log:[["%s"]+[.result|tostring|length|.>0]],cnt:1}' % name
                if self.chance(0.2):
                    node["calls"] = 2
                    node["out"] = '{log:[["%s",(.result|length)]],cnt:1}' % name
            self.subgraphs.append(path + [name])
        else:
            node["jq"] = self.result(state, name, names, depth)
            if sends:
                node["jq"] = '{log:["%s",(.v // "none")],cnt:1}' % name
        if self.chance(0.15):
            node["fail"] = {"times": self.random.randint(1, 2), "type": self.pick(TYPES), "message": "boom " + name}
            if self.chance(0.2):
                node["fail"]["when"] = "(.cnt // 0)>1"
        if self.chance(0.15):
            node["retry"] = self.retry() if self.chance(0.7) else [self.retry(), self.retry()]
        if self.chance(0.1):
            node["error_handler"] = {"jq": self.pick([
                '{log:["handled "+.error.node+" "+.error.type]}', "null", '{__command__:{goto:"%s",update:{cnt:3}}}' % self.pick(names),
                '{__error__:{type:"RuntimeError",message:"handler"}}'])}
        if self.chance(0.15):
            node["defer"] = True
        if self.chance(0.1) and not sends:
            node["input"] = self.some([key for key in state if key != "cnt"], 4) + ["cnt"]
        if self.chance(0.06) and not sends:
            # Numbers alone: the key is a pickle of the input, and tells equal texts apart by which are one object.
            self.cached = True
            node["cache"] = self.pick([{}, {"ttl": 60}])
            node["input"] = ["x", "cnt"]
        return node

    def graph(self, depth, path=()):
        names = [f"{'abc'[depth]}{i}" for i in range(self.random.randint(2, 5 if depth == 0 else 3))]
        state = self.state(depth)
        target = self.pick(names) if self.chance(0.35) else None
        nodes = [self.node(name, names, state, depth, list(path), name == target) for name in names]
        edges, conditional = [[START, names[0]]], []
        if self.chance(0.4):
            edges.append([START, self.pick(names[1:])])
        for i, name in enumerate(names):
            r = self.random.random()
            if r < 0.5 and names[i + 1 :]:
                edges += [[name, to] for to in self.some(names[i + 1 :], 2)]
            elif r < 0.75:
                jq = 'if (.cnt // 0)<%d then "go" else "out" end' % self.random.randint(2, 7)
                conditional.append({"from": name, "jq": jq, "map": {"go": self.pick(names), "out": self.pick(names[i + 1 :] + [END])}})
            elif r < 0.85:
                jq = 'if (.cnt // 0)<8 then %s else "__end__" end' % json.dumps(self.some(names, 2) + [END])
                conditional.append({"from": name, "jq": jq, **({"map": names + [END]} if self.chance(0.3) else {})})
            else:
                edges.append([name, END])
        if target:
            sends = '[range(%d)|{__send__:{node:"%s",arg:{v:.,cnt:0,log:["s"]}}}]' % (self.random.randint(1, 3), target)
            mixed = ' + ["%s"]' % self.pick(names) if self.chance(0.3) else ""
            conditional.append({"from": self.pick([START] + names), "jq": 'if (.cnt // 0)<7 then %s%s else "__end__" end' % (sends, mixed)})
        for _ in range(2):
            if len(names) > 2 and self.chance(0.25):
                starts = self.some(names, 3)
                edges.append([starts, self.pick(names)])
        graph = {"state": state, "nodes": nodes, "edges": edges, "conditional": conditional}
        if depth == 0 and self.cached:
            graph["cache"] = True
        for key, chance in (("interrupt_before", 0.1), ("interrupt_after", 0.1)):
            if self.chance(chance):
                graph[key] = self.pick(["*", self.some(names, 2)])
        if self.chance(0.1):
            graph["output"] = self.some(state, 3)
        if self.chance(0.1):
            graph["input"] = ["log", "x"]
        self.names = names
        return graph

    def data(self, state, text):
        values = {"log": [text], "cnt": 1, "x": self.random.randint(0, 3), "mx": 3, "mn": 2, "mul": 3, "txt": text, "mg": {"c": 1}, "un": [text], "la": 1,
                  "tp": [text], "ta": text, "eph": 1, "eg": 2, "ut": 3, "av": 4, "dl": [text], "msg": [{"role": "user", "content": text, "id": "9"}]}
        keys = [key for key in state if key in values and (key in ("log", "x") or self.chance(0.25))]
        return {key: values[key] for key in keys if self.chance(0.85)}

    def run_options(self):
        out = {"recursion_limit": self.limit, **self.durability}
        if self.chance(0.08):
            out["interrupt_before"] = self.pick(["*", self.some(self.names, 2)])
        if self.chance(0.08):
            out["interrupt_after"] = self.pick(["*", self.some(self.names, 2)])
        if self.chance(0.15):
            out["metadata"] = {"user": self.pick(["u", "v"]), "n": self.random.randint(0, 2)}
        if self.chance(0.05):
            out["recursion_limit"] = self.random.randint(1, 4)
        return out

    def run(self, **what):
        if self.chance(0.35):
            streamed = {"op": "stream", "modes": self.random.sample(MODES, self.random.randint(1, 6))}
            if self.chance(0.4):
                streamed["subgraphs"] = True
            return {**streamed, **what, **self.run_options()}
        return {"op": "invoke", **what, **self.run_options()}

    def update(self, state):
        values, as_node = self.data(state, "upd"), self.pick(self.names)
        r = self.random.random()
        if r < 0.1:
            values = None
        elif r < 0.15:
            values, as_node = None, "__copy__"
        elif r < 0.2:
            values, as_node = None, END
        elif r < 0.25:
            as_node = "__input__"
        elif r < 0.3:
            as_node = START
        return {"values": values, **({"as_node": as_node} if self.chance(0.75) or values is None else {})}

    def op(self, state):
        r = self.random.random()
        at = {"at": self.pick([0, 1, 2, 3, -1, -2])} if self.chance(0.3) else {}
        if r < 0.2:
            return self.run(resume=self.pick(["ans", 0, {"k": 1}, ["l"]]), **(at if self.chance(0.3) else {}))
        if r < 0.32:
            return self.run(resume_by={self.pick(["0", "0", "1"]): self.pick(["by", False])})
        if r < 0.44:
            return self.run(input=None, **at)
        if r < 0.52:
            return self.run(input=self.data(state, "more"), **(at if self.chance(0.4) else {}))
        if r < 0.66:
            return {"op": "update_state", **self.update(state), **at}
        if r < 0.70:
            steps = [[self.update(state) for _ in range(self.pick([1, 1, 2]))] for _ in range(self.random.randint(1, 3))]
            return {"op": "bulk_update_state", "supersteps": steps, **at}
        if r < 0.75:
            goto = self.pick([self.pick(self.names), [self.pick(self.names), END], {"__send__": {"node": self.pick(self.names), "arg": {"v": "c", "cnt": 0, "log": []}}}])
            command = {"goto": goto, "update": self.data(state, "cmd")}
            if self.chance(0.3):
                command["resume"] = "cr"
            return self.run(command=command)
        if r < 0.79 and self.subgraphs:
            return {"op": "update_state", "subgraph": self.pick(self.subgraphs), "values": {"log": ["sub upd"]}}
        if r < 0.83 and self.subgraphs:
            return {"op": self.pick(["get_state", "get_history"]), "subgraph": self.pick(self.subgraphs), "nth": self.pick([-1, 0, 1])}
        if r < 0.86:
            return {"op": "reopen"}
        if r < 0.92:
            query = self.pick([{"limit": 2}, {"before": 3}, {"filter": {"source": "loop"}}, {"filter": {"user": "u"}, "limit": 3}, {"filter": {"n": 1}}, {"before": -2, "limit": 1}])
            return {"op": "get_history", **query}
        return {"op": "get_state", **({"subgraphs": True} if self.chance(0.7) else {}), **at}

    def case(self, seed):
        graph = self.graph(0)
        self.limit = self.pick([7, 10, 14])
        choice = self.pick([None, None, "sync", "exit", "async"])
        if choice == "sync" and '"checkpointer": false' in json.dumps(graph):
            choice = None
        self.durability = {"durability": choice} if choice else {}
        ops = [self.run(input=self.data(graph["state"], "in"))] + [self.op(graph["state"]) for _ in range(self.random.randint(2, 6))]
        ops += [{"op": "get_state", "subgraphs": True}, {"op": "get_history"}, {"op": "dump"}]
        return {"doc": f"wide random case, seed {seed}", "graph": graph, "ops": ops}


def gen(seed):
    return Generator(seed).case(seed)

