#include "app/cli/commands/commands.h"
#include "core/config/connections.h"
#include "core/sandbox/e2b/e2b_backend.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sg::cli {
namespace {

using sandbox::e2b::Connection;

struct Arguments {
    std::string name;
    std::vector<std::string> names;
    std::string kind{ "e2b" };
    std::string api;
    std::string sandboxes;
    std::string routing{ "headers" };
    std::string key;
    std::string sandboxTemplate;
    std::string authorities;
    int time = 300;
};

std::string timeText(const std::string& iso)
{
    return iso.empty() ? "never" : iso.substr(0, 19);
}

int add(const Arguments& arguments, const Output& out)
{
    Connection made;
    made.name = arguments.name;
    made.kind = sandbox::e2b::serviceKindNamed(arguments.kind).value_or(made.kind);
    made.routing = sandbox::e2b::routingNamed(arguments.routing).value_or(made.routing);
    made.api = arguments.api;
    made.sandboxes = arguments.sandboxes;
    made.key = arguments.key;
    made.sandboxTemplate = arguments.sandboxTemplate;
    made.authorities = arguments.authorities;
    made.time = std::chrono::seconds(arguments.time);
    made = sandbox::e2b::completed(std::move(made));
    const auto written = config::writeConnection(config::connectionsFile(), made);
    if (!written)
        return out.fail(written.error());
    if (out.json)
        out.document(Value::map({ { "connection", made.name } }));
    out.text("connection " + made.name + " is set up; try it: sandglass connection check " + made.name);
    if (config::canBeReadOnTheWay(made))
        out.note("warning: " + made.api
                 + " is not encrypted: the key and all that sessions do can be read "
                   "on the way");
    return Done;
}

int remove(const Arguments& arguments, const Output& out)
{
    const auto removed = config::removeConnection(config::connectionsFile(), arguments.name);
    if (!removed)
        return out.fail(removed.error());
    if (!*removed)
        return out.fail(Failed, "there is no connection \"" + arguments.name + "\"");
    if (out.json)
        out.document(Value::map({ { "connection", arguments.name }, { "removed", true } }));
    out.text("connection " + arguments.name + " is removed; its sandboxes end when their time is over");
    return Done;
}

int list(const Arguments& /*arguments*/, const Output& out)
{
    const auto known = config::readConnections(config::connectionsFile());
    if (!known)
        return out.fail(known.error());
    ValueList document;
    for (const Connection& each : *known) {
        document.push_back(Value::map({ { "name", each.name },
                                        { "kind", nameOf(each.kind) },
                                        { "api", each.api },
                                        { "sandboxes", each.sandboxes },
                                        { "routing", nameOf(each.routing) },
                                        { "key", each.key },
                                        { "template", each.sandboxTemplate },
                                        { "time_s", static_cast<std::int64_t>(each.time.count()) } }));
        out.text(padded(each.name, 16) + "  " + padded(std::string(nameOf(each.kind)), 6) + "  " + each.api
                 + "  template " + each.sandboxTemplate + "  key " + each.key);
    }
    if (out.json)
        out.document(Value::map({ { "connections", std::move(document) } }));
    if (known->empty())
        out.note("none is set up: sandglass connection add NAME --api ADDRESS --key SECRET");
    return Done;
}

// Asks the services: what each answers, and which sandboxes of this program live there, which may cost.
int check(const Arguments& arguments, const Output& out)
{
    const auto known = config::readConnections(config::connectionsFile());
    if (!known)
        return out.fail(known.error());
    for (const std::string& name : arguments.names)
        if (std::ranges::find(*known, name, &Connection::name) == known->end())
            return out.fail(Failed, "there is no connection \"" + name + "\"");
    ValueList document;
    bool areAllWell = true;
    for (const Connection& each : *known) {
        if (!arguments.names.empty()
            && std::ranges::find(arguments.names, each.name) == arguments.names.end())
            continue;
        const auto state = sandbox::tryConnection(each, config::connectionKey);
        areAllWell = areAllWell && state;
        ValueMap told{ { "name", each.name }, { "works", static_cast<bool>(state) } };
        if (!state) {
            told.set("problem", state.error().message);
            out.text(padded(each.name, 16) + "  " + state.error().message);
            document.emplace_back(std::move(told));
            continue;
        }
        const double milliseconds = static_cast<double>(state->latency.count()) / 1000;
        told.set("latency_ms", milliseconds);
        out.text(padded(each.name, 16) + "  answers in " + std::to_string(state->latency.count() / 1000)
                 + " ms; sandboxes of ours: " + std::to_string(state->sandboxes.size()));
        ValueList living;
        for (const sandbox::FoundSandbox& one : state->sandboxes) {
            living.push_back(Value::map({ { "name", one.name },
                                          { "session", one.session.value },
                                          { "thread", one.thread.value },
                                          { "project", one.project },
                                          { "paused", one.paused },
                                          { "started_at", one.createdAt },
                                          { "ends_at", one.endsAt } }));
            out.text("  " + one.name + "  " + (one.paused ? "paused" : "running") + "  thread "
                     + one.thread.value + "  since " + timeText(one.createdAt) + "  ends "
                     + timeText(one.endsAt));
        }
        told.set("sandboxes", std::move(living));
        document.emplace_back(std::move(told));
    }
    if (out.json)
        out.document(Value::map({ { "connections", std::move(document) } }));
    return areAllWell ? Done : Failed;
}

} // namespace

void addConnection(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("connection", "services elsewhere on which this user's sessions may run");
    verb.needsVerb();
    const auto sub = [&](const char* name, const char* help, int (*run)(const Arguments&, const Output&)) {
        Verb made = verb.add(name, help);
        made.onRun([arguments, &shell, run] { shell.exit = run(*arguments, shell.out); });
        return made;
    };
    Verb adding = sub("add", "set one up, or change it", add);
    adding.option("name", arguments->name, "its name, by which graphs choose it").required();
    adding.option("--kind", arguments->kind, "what it is (default e2b)").oneOf({ "e2b", "kruise" });
    adding.option("--api", arguments->api, "address of its control plane").required();
    adding.option("--sandboxes", arguments->sandboxes,
                  "address of its sandboxes, or their domain (default: that of --api)");
    adding.option("--routing", arguments->routing, "how a request finds its sandbox (default headers)")
        .oneOf({ "headers", "host", "path" });
    adding.option("--key", arguments->key, "name of the secret that is its key").required();
    adding.option("--template", arguments->sandboxTemplate, "template of its sandboxes");
    adding.option("--ca", arguments->authorities, "file of the certificates that prove it (PEM)");
    adding
        .option("--time", arguments->time,
                "seconds that a sandbox lives on when this program is gone (default 300)")
        .within(30, 86400);
    sub("list", "those that are set up, without asking them", list);
    sub("check", "ask them: whether they answer, and which sandboxes of ours they have", check)
        .option("names", arguments->names, "these alone");
    sub("remove", "forget one", remove).option("name", arguments->name, "its name").required();
}

} // namespace sg::cli
