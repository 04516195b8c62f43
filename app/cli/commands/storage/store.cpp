#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/base/json.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/projects/project_store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>

namespace sg::cli {
namespace {

using projects::ProjectStore;

struct Arguments {
    PlaceOption place; // its `database` is the store's file or address
    std::string tenant;
    std::string ns;
    std::string key;
    std::string value;
    std::string filter;
    std::string suffix;
    std::optional<double> ttl;
    std::optional<std::int64_t> depth;
    std::int64_t limit = 100;
    std::int64_t offset = 0;
};

// Splits "acme.triage" into labels.
Value labels(const std::string& text)
{
    ValueList list;
    for (std::size_t from = 0; !text.empty() && from <= text.size();) {
        const std::size_t dot = std::min(text.find('.', from), text.size());
        list.emplace_back(text.substr(from, dot - from));
        from = dot + 1;
    }
    return list;
}

std::string namespaceText(const Value& ns)
{
    std::string text;
    for (const Value& label : ns.asList())
        text += (text.empty() ? "" : ".") + label.asString();
    return text;
}

Result<std::shared_ptr<ProjectStore>> openStore(const Arguments& arguments, ProjectStore::Access access)
{
    static const SystemClock clock;
    const bool isShared = checkpoint::isPostgresAddress(arguments.place.database);
    std::string place = arguments.place.database;
    graph::StoreSettings settings;
    if (place.empty() || isShared) {
        auto paths = arguments.place.locate();
        if (!paths && (!isShared || !arguments.place.project.empty()))
            return std::move(paths.error());
        if (place.empty())
            place = projects::storePlace(*paths);
        if (paths && !paths->graph.empty())
            if (auto graph = runs::checkedGraph(*paths, runs::Check::Form))
                settings = graph->graph.store;
    }
    settings.refreshOnRead = false; // a look from outside is no use of the item
    return ProjectStore::open(place, access, settings, projects::chosenTenant(arguments.tenant, settings),
                              clock);
}

// Sends a request and prints the answer as JSON; `print` prints it for people.
template<typename Print>
int ask(const Arguments& arguments, const Output& out, ProjectStore::Access access, ValueMap request,
        Print print)
{
    auto store = openStore(arguments, access);
    if (!store)
        return out.fail(store.error());
    auto answer = (*store)->answer(Value(std::move(request)));
    if (!answer)
        return out.fail(answer.error());
    return print(*answer);
}

int put(const Arguments& arguments, const Output& out)
{
    auto value = jsonArgument(arguments.value, "JSON");
    if (!value)
        return out.fail(Usage, value.error().message);
    if (!value->isMap())
        return out.fail(Usage, R"(an item is a JSON object, such as {"text": "likes tea"})");
    ValueMap request{
        { "op", "put" }, { "namespace", labels(arguments.ns) }, { "key", arguments.key }, { "value", *value }
    };
    if (arguments.ttl)
        request.set("ttl", *arguments.ttl);
    return ask(arguments, out, ProjectStore::Access::ReadWrite, std::move(request), [&](const Value&) {
        if (out.json)
            out.document(Value::map({ { "namespace", labels(arguments.ns) }, { "key", arguments.key } }));
        return static_cast<int>(Done);
    });
}

int get(const Arguments& arguments, const Output& out)
{
    return ask(arguments, out, ProjectStore::Access::ReadOnly,
               { { "op", "get" }, { "namespace", labels(arguments.ns) }, { "key", arguments.key } },
               [&](const Value& item) {
                   if (item.isNull())
                       return out.fail(Usage,
                                       "there is no item '" + arguments.key + "' in " + arguments.ns
                                           + ". See what is there with: sandglass store search "
                                           + arguments.ns);
                   out.document(item);
                   return static_cast<int>(Done);
               });
}

// Returns the page without the item that was asked for beyond the limit, to know whether there are more.
Value pageOf(const Value& found, const Arguments& arguments, const Output& out)
{
    const auto limit = static_cast<std::size_t>(arguments.limit);
    if (found.asList().size() <= limit)
        return found;
    out.note("There are more than these " + std::to_string(limit)
             + ": --limit N prints more of them, --offset "
             + std::to_string(arguments.offset + arguments.limit) + " goes on.");
    const ValueList& all = found.asList();
    return ValueList(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit));
}

int search(const Arguments& arguments, const Output& out)
{
    ValueMap request{ { "op", "search" },
                      { "prefix", labels(arguments.ns) },
                      { "limit", arguments.limit + 1 },
                      { "offset", arguments.offset } };
    if (!arguments.filter.empty()) {
        auto filter = jsonArgument(arguments.filter, "--filter");
        if (!filter)
            return out.fail(Usage, filter.error().message);
        request.set("filter", std::move(*filter));
    }
    return ask(arguments, out, ProjectStore::Access::ReadOnly, std::move(request), [&](const Value& found) {
        const Value items = pageOf(found, arguments, out);
        if (out.json)
            out.document(items);
        for (const Value& item : items.asList())
            out.text(namespaceText(item["namespace"]) + "  " + item.stringOr("key", "") + "  "
                     + item.stringOr("updated_at", "") + "  " + toJson(item["value"], JsonStyle::Spaced));
        return static_cast<int>(Done);
    });
}

int list(const Arguments& arguments, const Output& out)
{
    ValueMap request{ { "op", "list" },
                      { "prefix", labels(arguments.ns) },
                      { "suffix", labels(arguments.suffix) },
                      { "limit", arguments.limit + 1 },
                      { "offset", arguments.offset } };
    if (arguments.depth)
        request.set("max_depth", *arguments.depth);
    return ask(arguments, out, ProjectStore::Access::ReadOnly, std::move(request), [&](const Value& found) {
        const Value namespaces = pageOf(found, arguments, out);
        if (out.json)
            out.document(namespaces);
        for (const Value& ns : namespaces.asList())
            out.text(namespaceText(ns));
        return static_cast<int>(Done);
    });
}

int remove(const Arguments& arguments, const Output& out)
{
    const Value ns = labels(arguments.ns);
    auto store = openStore(arguments, ProjectStore::Access::ReadWrite);
    if (!store)
        return out.fail(store.error());
    auto known =
        (*store)->answer(Value::map({ { "op", "get" }, { "namespace", ns }, { "key", arguments.key } }));
    if (!known)
        return out.fail(known.error());
    auto done = (*store)->answer(
        Value::map({ { "op", "put" }, { "namespace", ns }, { "key", arguments.key }, { "value", Value() } }));
    if (!done)
        return out.fail(done.error());
    if (out.json)
        out.document(Value::map({ { "deleted", !known->isNull() } }));
    out.text(known->isNull() ? "there was no such item" : "deleted");
    return Done;
}

// A range check would print the range in its message.
Check above0()
{
    return { [](const std::string& word) {
                char* end = nullptr;
                const double number = std::strtod(word.c_str(), &end);
                const bool fits = end != word.c_str() && *end == 0 && std::isfinite(number) && number > 0;
                return fits ? std::string() : "it takes a number above 0, not " + word.substr(0, 80);
            },
             "NUMBER" };
}

using Action = int (*)(const Arguments&, const Output&);

Verb add(Verb store, Shell& shell, const std::shared_ptr<Arguments>& arguments, const char* name,
         const char* help, Action action)
{
    Verb verb = store.add(name, help);
    verb.option("--db", arguments->place.database,
                "the store: a file, or postgresql://HOST/DATABASE (default: the project's file)");
    verb.option("--project", arguments->place.project,
                "project folder (default: the current one or above it)");
    verb.option("--tenant", arguments->tenant,
                "first label of all namespaces (default: SANDGLASS_TENANT, else as the graph says)");
    verb.onRun([arguments, action, &shell] { shell.exit = action(*arguments, shell.out); });
    return verb;
}

} // namespace

void addStore(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb store = app.add("store", "look into and change the long-term store that threads share");
    store.needsVerb();
    const auto item = [&](Verb verb) {
        verb.option("NAMESPACE", arguments->ns, "labels from the outermost in: memories.alice").required();
        verb.option("KEY", arguments->key, "the item's name in its namespace").required();
    };
    const auto page = [&](Verb verb, const char* what) {
        verb.option("PREFIX", arguments->ns, what);
        verb.option("--limit", arguments->limit, "at most so many (default 100)")
            .within(0, 1'000'000'000, "COUNT");
        verb.option("--offset", arguments->offset, "without the first so many")
            .within(0, 1'000'000'000, "COUNT");
    };
    Verb putting = add(store, shell, arguments, "put", "store an item, or replace it", put);
    item(putting);
    putting.option("JSON", arguments->value, "the item: a JSON object, @FILE or @-").required();
    putting.option("--ttl", arguments->ttl, "minutes that it lives (default: as the graph says)")
        .check(above0());
    item(add(store, shell, arguments, "get", "print an item", get));
    item(add(store, shell, arguments, "delete", "take an item away", remove));
    Verb searching =
        add(store, shell, arguments, "search", "list items, those that changed last first", search);
    page(searching, "namespace, with all beneath it (default: everything)");
    searching.option("--filter", arguments->filter,
                     R"(what their fields must be, such as {"kind": "note", "size": {"$gt": 3}})");
    Verb listing = add(store, shell, arguments, "list", "list namespaces", list);
    page(listing, "that begin so; '*' is any one label (default: all)");
    listing.option("--suffix", arguments->suffix, "that end so");
    listing.option("--depth", arguments->depth, "cut to so many labels").check(atLeastOne());
}

} // namespace sg::cli
