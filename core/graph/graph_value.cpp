#include "core/graph/graph_value.h"

#include "core/graph/codecs.h"
#include "core/graph/part_fields.h"

#include <array>

namespace sg::graph {

namespace {

// This works as settings do: a form that a person chose (true, {}, null) stays while it says the same.
constexpr Field<Graph> kStoreField{
    "store", Presence::WhenSet,
    [](const Value& value, const Place& place, Reading& reading, Graph& graph) {
        return readStore(value, place, reading, graph.store);
    },
    [](const Graph& graph, const Value* raw, Presence) -> std::optional<Value> {
        if (raw != nullptr) {
            Reading quiet;
            StoreSettings before; // an unreadable one counts as unset
            readStore(*raw, Place(), quiet, before);
            if (before == graph.store)
                return *raw;
        }
        return graph.store.enabled ? std::optional(storeValue(graph.store)) : std::nullopt;
    }
};

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kMostEdges = 1'000'000;
constexpr std::size_t kMostChannels = 10'000;

constexpr std::array kHeadFields{
    field<&Graph::name, TextCodec>("name"),
    field<&Graph::description, TextCodec>("description"),
};
constexpr std::array kSchemaFields{
    field<&Graph::input, OptionalCodec<NamesCodec>>("input"),
    field<&Graph::output, OptionalCodec<NamesCodec>>("output"),
    field<&Graph::inputExample, SettingsCodec>("input_example"),
};
constexpr std::array kRunFields{
    field<&Graph::interruptBefore, InterruptsCodec>("interrupt_before"),
    field<&Graph::interruptAfter, InterruptsCodec>("interrupt_after"),
    field<&Graph::interruptIf, ConditionsCodec>("interrupt_if"),
    field<&Graph::recursionLimit, OptionalCodec<CountCodec>>("recursion_limit"),
    field<&Graph::cache, FlagCodec>("cache"),
    field<&Graph::checkpointer, CheckpointerCodec>("checkpointer"),
    field<&Graph::durability, TextCodec>("durability"),
    kStoreField,
    field<&Graph::llm, SettingsCodec>("llm"),
    field<&Graph::mcp, SettingsCodec>("mcp"),
    field<&Graph::roles, SettingsCodec>("roles"),
};

// An unreadable position of a card stays until the card is moved.
void keepBrokenPlaces(const ValueMap& raw, ValueMap& map)
{
    for (const auto& [name, place] : raw)
        if (name.asString() != kNotes && !LayoutCodec::isPlace(place) && !map.contains(name.asString()))
            map.set(name, place);
}

// Positions and notes share an object.
constexpr Field<Graph> kLayoutField{
    "layout", Presence::WhenSet,
    [](const Value& value, const Place& place, Reading& reading, Graph& graph) {
        const bool places = LayoutCodec::read(value, place, reading, graph.layout);
        const Value* notes = value.isMap() ? value.find(kNotes) : nullptr;
        return (notes == nullptr || NotesCodec::read(*notes, Place(place, kNotes), reading, graph.notes))
            && places;
    },
    [](const Graph& graph, const Value* raw, Presence) -> std::optional<Value> {
        if (raw != nullptr) {
            Reading quiet;
            Graph before; // an unreadable one counts as unset
            LayoutCodec::read(*raw, Place(), quiet, before.layout);
            if (const Value* notes = raw->isMap() ? raw->find(kNotes) : nullptr)
                NotesCodec::read(*notes, Place(), quiet, before.notes);
            if (before.layout == graph.layout && before.notes == graph.notes)
                return *raw;
        }
        if (graph.layout.empty() && graph.notes.empty())
            return std::nullopt;
        Value value = LayoutCodec::write(graph.layout);
        if (raw != nullptr && raw->isMap())
            keepBrokenPlaces(raw->asMap(), value.editMap());
        if (!graph.notes.empty())
            value.editMap().set(kNotes, NotesCodec::write(graph.notes));
        return value;
    }
};
constexpr std::array kLayoutFields{ kLayoutField };

constexpr std::array<std::string_view, 24> kKeys{
    "format",
    "name",
    "description",
    "state",
    "input",
    "output",
    "input_example",
    "nodes",
    "edges",
    "branches",
    "interrupt_before",
    "interrupt_after",
    "recursion_limit",
    "cache",
    "checkpointer",
    "sandbox",
    "layout",
    "$schema",
    "durability",
    "store",
    "interrupt_if",
    "llm",
    "mcp",
    "roles",
};

void readFormat(const ValueMap& object, const Place& place, Reading& reading)
{
    const Value* format = object.find("format");
    if (format == nullptr)
        return;
    const Place at(place, "format");
    if (!format->isInt() || format->asInt() < 1)
        reading.error(at, "bad-format", "\"format\" is the version of the file format: 1");
    else if (format->asInt() > kFormat)
        reading.error(at, "newer-format",
                      "the file has format " + std::to_string(format->asInt()) + ", this program knows up to "
                          + std::to_string(kFormat) + "; use a newer Sandglass");
}

void readState(const Value& state, const Place& place, Reading& reading, Graph& graph)
{
    if (!state.isMap()) {
        reportForm(reading, place, "an object of channel name and channel", state);
        return reading.skip(place);
    }
    if (!reading.countElements(place, state.asMap().size(), kMostChannels, "channels"))
        return reading.skip(place);
    for (const auto& [name, value] : state.asMap()) {
        Channel channel;
        const Place at(place, name.asString());
        if (readChannel(name.asString(), value, at, reading, channel))
            graph.channels.push_back(std::move(channel));
        else
            reading.skip(at);
    }
}

struct ListLimit {
    std::size_t most;
    const char* what;
};

template<typename Part, typename Read>
void readList(const Value& list, const Place& place, Reading& reading, const ListLimit& limit,
              std::vector<Part>& out, Read read)
{
    if (!list.isList()) {
        reportForm(reading, place, "a list", list);
        return reading.skip(place);
    }
    if (!reading.countElements(place, list.asList().size(), limit.most, limit.what))
        return reading.skip(place);
    for (std::size_t i = 0; i < list.asList().size(); ++i) {
        Part part;
        const Place at(place, i);
        if (read(list[i], at, reading, part))
            out.push_back(std::move(part));
        else
            reading.skip(at);
    }
}

// An empty part that was read is written as an empty list. An absent key stays absent unless it is basic.
void putPart(ObjectOverlay& object, std::string_view key, Value value, bool isEmpty, bool isBasic)
{
    const Value* raw = object.find(key);
    const bool isUnreadable = raw != nullptr && !raw->isList() && !raw->isMap();
    if (isEmpty && isUnreadable)
        object.put(key, *raw);
    else if (isEmpty && raw == nullptr && !isBasic)
        object.put(key, std::nullopt);
    else
        object.put(key, std::move(value));
}

template<typename Part, typename Write>
Value listValue(const std::vector<Part>& parts, Write write)
{
    ValueList list;
    list.reserve(parts.size());
    for (const Part& part : parts)
        list.push_back(write(part));
    return list;
}

Value stateValue(const Graph& graph)
{
    ValueMap state;
    state.reserve(graph.channels.size());
    for (const Channel& channel : graph.channels)
        state.set(channel.name, channelValue(channel));
    return state;
}

} // namespace

void readGraph(const ValueMap& object, const Place& place, Reading& reading, Graph& graph)
{
    graph.source = object;
    readFormat(object, place, reading);
    readFields<Graph>(kHeadFields, object, place, reading, graph);
    readFields<Graph>(kSchemaFields, object, place, reading, graph);
    readFields<Graph>(kRunFields, object, place, reading, graph);
    if (const Value* state = object.find("state"))
        readState(*state, Place(place, "state"), reading, graph);
    if (const Value* nodes = object.find("nodes"))
        readList(*nodes, Place(place, "nodes"), reading, { kMostNodes, "nodes" }, graph.nodes, readNode);
    if (const Value* edges = object.find("edges"))
        readList(*edges, Place(place, "edges"), reading, { kMostEdges, "edges" }, graph.edges,
                 EdgeCodec::read);
    if (const Value* branches = object.find("branches"))
        readList(*branches, Place(place, "branches"), reading, { kMostNodes, "branches" }, graph.branches,
                 readBranch);
    if (const Value* sandbox = object.find("sandbox")) {
        const Place at(place, "sandbox");
        if (!readSandbox(*sandbox, at, reading, graph.sandbox))
            reading.skip(at);
    }
    readFields<Graph>(kLayoutFields, object, place, reading, graph);
    std::vector<std::string_view> known(kKeys.begin(), kKeys.end());
    known.emplace_back("requirements"); // which has a warning of its own
    warnOfKeys(object, known, place, reading);
    if (object.contains("requirements"))
        reading.warning(Place(place, "requirements"), "unused-key",
                        "\"requirements\" stands in \"sandbox\"; here it has no effect");
}

Value graphValue(const Graph& graph, GraphRole role)
{
    ObjectOverlay object(graph.source);
    if (const Value* format = graph.source.find("format"))
        object.put("format", *format);
    else if (role == GraphRole::Root)
        object.put("format", Value(kFormat));
    writeFields<Graph>(kHeadFields, graph, object);
    putPart(object, "state", stateValue(graph), graph.channels.empty(), true);
    writeFields<Graph>(kSchemaFields, graph, object);
    putPart(object, "nodes", listValue(graph.nodes, nodeValue), graph.nodes.empty(), true);
    putPart(object, "edges", listValue(graph.edges, EdgeCodec::write), graph.edges.empty(), true);
    putPart(object, "branches", listValue(graph.branches, branchValue), graph.branches.empty(), false);
    writeFields<Graph>(kRunFields, graph, object);
    const Value sandbox = sandboxValue(graph.sandbox);
    putPart(object, "sandbox", sandbox, sandbox.asMap().empty(), false);
    writeFields<Graph>(kLayoutFields, graph, object);
    object.moveToEnd("layout");
    return object.take();
}

} // namespace sg::graph
