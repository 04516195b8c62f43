#include "core/graph/part_fields.h"

#include "core/graph/codecs.h"
#include "core/graph/graph_value.h"
#include "core/graph/near_name.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <array>

namespace sg::graph {

namespace {

// A null default differs from an absent one.
constexpr Field<Channel> kDefaultField{ "default", Presence::WhenSet,
                                        [](const Value& value, const Place&, Reading&, Channel& channel) {
                                            channel.hasDefault = true;
                                            channel.defaultValue = value;
                                            return true;
                                        },
                                        [](const Channel& channel, const Value*, Presence) {
                                            return channel.hasDefault ? std::optional(channel.defaultValue)
                                                                      : std::nullopt;
                                        } };

constexpr std::array kChannelFields{
    field<&Channel::type, ChannelTypeCodec>("type"),
    field<&Channel::reducer, ReducerCodec>("reducer"),
    kDefaultField,
    field<&Channel::accumulate, FlagCodec>("accumulate"),
    field<&Channel::guard, FlagCodec>("guard"),
    field<&Channel::storage, ChannelStorageCodec>("storage"),
    field<&Channel::snapshotFrequency, CountCodec>("snapshot_frequency"),
};

constexpr std::array kRetryFields{
    field<&RetryPolicy::maxAttempts, CountCodec>("max_attempts", Presence::Always),
    field<&RetryPolicy::initialInterval, NumberCodec>("initial_interval"),
    field<&RetryPolicy::backoffFactor, NumberCodec>("backoff_factor"),
    field<&RetryPolicy::maxInterval, NumberCodec>("max_interval"),
    field<&RetryPolicy::jitter, FlagCodec>("jitter"),
    field<&RetryPolicy::retryOn, NamesCodec>("retry_on"),
};

template<typename Owner, std::size_t Count>
std::vector<std::string_view> keysOf(const std::array<Field<Owner>, Count>& fields,
                                     std::initializer_list<std::string_view> more = {})
{
    std::vector<std::string_view> keys(more);
    keys.reserve(more.size() + Count);
    for (const auto& field : fields)
        keys.push_back(field.key);
    return keys;
}

bool isObject(const Value& value, const Place& place, Reading& reading)
{
    if (!value.isMap())
        reportForm(reading, place, "an object", value);
    return value.isMap();
}

// Reads one policy, or a list of which the first matching one is used.
struct RetryCodec {
    using Type = std::vector<RetryPolicy>;

    static bool read(const Value& value, const Place& place, Reading& reading, Type& out)
    {
        Type policies;
        if (value.isList()) {
            for (std::size_t i = 0; i < value.asList().size(); ++i)
                if (!readOne(value[i], Place(place, i), reading, policies.emplace_back()))
                    return false;
        } else if (!value.isNull() && !readOne(value, place, reading, policies.emplace_back())) {
            return false;
        }
        out = std::move(policies);
        return true;
    }

    static Value write(const Type& policies)
    {
        ValueList list;
        list.reserve(policies.size());
        for (const RetryPolicy& policy : policies) {
            ObjectOverlay object({});
            writeFields<RetryPolicy>(kRetryFields, policy, object);
            list.emplace_back(object.take());
        }
        return list.size() == 1 ? list.front() : Value(std::move(list));
    }

private:
    static bool readOne(const Value& value, const Place& place, Reading& reading, RetryPolicy& out)
    {
        if (!isObject(value, place, reading))
            return false;
        readFields<RetryPolicy>(kRetryFields, value.asMap(), place, reading, out);
        warnOfKeys(value.asMap(), keysOf(kRetryFields), place, reading);
        return true;
    }
};

// Reads {"ttl": seconds}; {} and true mean for ever, null and false no cache.
struct CacheCodec {
    using Type = std::optional<CachePolicy>;

    static bool read(const Value& value, const Place& place, Reading& reading, Type& out)
    {
        if (value.isNull() || value.isBool()) {
            out = value.isBool() && value.asBool() ? Type(CachePolicy{}) : Type();
            return true;
        }
        CachePolicy policy;
        if (!isObject(value, place, reading))
            return false;
        if (const Value* ttl = value.find("ttl"))
            if (!OptionalCodec<NumberCodec>::read(*ttl, Place(place, "ttl"), reading, policy.ttl))
                return false;
        warnOfKeys(value.asMap(), { "ttl" }, place, reading);
        out = policy;
        return true;
    }

    static Value write(const Type& policy)
    {
        ValueMap map;
        if (policy && policy->ttl)
            map.set("ttl", NumberCodec::write(*policy->ttl));
        return policy ? Value(std::move(map)) : Value();
    }
};

constexpr Field<Node> kSubgraphField{
    "graph", Presence::WhenSet,
    [](const Value& value, const Place& place, Reading& reading, Node& node) {
        if (!isObject(value, place, reading))
            return false; // stays in `source`
        if (!reading.enterGraph(place)) {
            reading.skip(place);
            return false;
        }
        auto graph = std::make_shared<Graph>();
        readGraph(value.asMap(), place, reading, *graph);
        reading.leaveGraph();
        node.subgraph = std::move(graph);
        return true;
    },
    [](const Node& node, const Value* raw, Presence) -> std::optional<Value> {
        if (node.subgraph)
            return graphValue(*node.subgraph, GraphRole::Nested);
        return raw != nullptr && !raw->isMap() ? std::optional(*raw) : std::nullopt;
    }
};

constexpr std::array kNodeHeadFields{ field<&Node::name, NodeIdCodec>("name", Presence::Always) };
constexpr std::array kNodeFields{
    field<&Node::defer, FlagCodec>("defer"),
    field<&Node::retry, RetryCodec>("retry"),
    field<&Node::cache, CacheCodec>("cache"),
    field<&Node::input, OptionalCodec<NamesCodec>>("input"),
    field<&Node::reads, OptionalCodec<NamesCodec>>("reads"),
    field<&Node::writes, OptionalCodec<NamesCodec>>("writes"),
    field<&Node::errorHandler, SettingsCodec>("error_handler"),
    kSubgraphField,
};
constexpr auto kKindField = field<&Node::kind, TextCodec>("kind", Presence::Always);

constexpr std::array kBranchFields{
    field<&Branch::from, NodeIdCodec>("from", Presence::Always),
    field<&Branch::targets, OptionalCodec<TargetsCodec>>("targets"),
};

constexpr std::array kLimitFields{
    field<&SandboxLimits::memoryMb, OptionalCodec<LongCodec>>("memory_mb"),
    field<&SandboxLimits::tmpfsMb, OptionalCodec<LongCodec>>("tmpfs_mb"),
    field<&SandboxLimits::pids, OptionalCodec<LongCodec>>("pids"),
    field<&SandboxLimits::cpus, OptionalCodec<NumberCodec>>("cpus"),
    field<&SandboxLimits::openFiles, OptionalCodec<LongCodec>>("open_files"),
    field<&SandboxLimits::cellSeconds, OptionalCodec<NumberCodec>>("cell_s"),
    field<&SandboxLimits::outputMb, OptionalCodec<LongCodec>>("output_mb"),
    field<&SandboxLimits::stateMb, OptionalCodec<LongCodec>>("state_mb"),
};

// Unknown limits are kept: the known ones are written over what was read.
constexpr Field<SandboxSettings> kLimitsField{
    "limits", Presence::WhenSet,
    [](const Value& value, const Place& place, Reading& reading, SandboxSettings& sandbox) {
        if (!isObject(value, place, reading))
            return false;
        readFields<SandboxLimits>(kLimitFields, value.asMap(), place, reading, sandbox.limits);
        warnOfKeys(value.asMap(), keysOf(kLimitFields), place, reading);
        return true;
    },
    [](const SandboxSettings& sandbox, const Value* raw, Presence) -> std::optional<Value> {
        if (raw != nullptr && !raw->isMap() && sandbox.limits == SandboxLimits{})
            return *raw;
        ObjectOverlay object(raw != nullptr && raw->isMap() ? raw->asMap() : ValueMap());
        writeFields<SandboxLimits>(kLimitFields, sandbox.limits, object);
        if (object.entries().empty() && raw == nullptr)
            return std::nullopt;
        return object.take();
    }
};

constexpr std::array kSandboxFields{
    field<&SandboxSettings::backend, TextCodec>("backend"),
    field<&SandboxSettings::connection, TextCodec>("connection"),
    field<&SandboxSettings::mode, TextCodec>("mode"),
    field<&SandboxSettings::storage, TextCodec>("storage"),
    field<&SandboxSettings::datasets, TextCodec>("datasets"),
    field<&SandboxSettings::image, TextCodec>("image"),
    field<&SandboxSettings::scope, TextCodec>("scope"),
    field<&SandboxSettings::ownSessions, NamesCodec>("own_sessions"),
    field<&SandboxSettings::parallel, TextCodec>("parallel"),
    field<&SandboxSettings::idleTimeoutSeconds, OptionalCodec<NumberCodec>>("idle_timeout_s"),
    field<&SandboxSettings::maxAgeSeconds, OptionalCodec<NumberCodec>>("max_age_s"),
    field<&SandboxSettings::pool, OptionalCodec<LongCodec>>("pool"),
    field<&SandboxSettings::poolState, TextCodec>("pool_state"),
    field<&SandboxSettings::preload, NamesCodec>("preload"),
    field<&SandboxSettings::requirements, RequirementsCodec>("requirements"),
    field<&SandboxSettings::python, OptionalCodec<NamesCodec>>("python"),
    kLimitsField,
    field<&SandboxSettings::egress, NamesCodec>("egress"),
    field<&SandboxSettings::secrets, NamesCodec>("secrets"),
};

constexpr std::array kStoreFields{
    field<&StoreSettings::ttl, OptionalCodec<NumberCodec>>("ttl"),
    field<&StoreSettings::refreshOnRead, FlagCodec>("refresh_on_read"),
    field<&StoreSettings::tenant, TextCodec>("tenant"),
};

// Other versions know kinds with these keys: hints at misspelt keys name them, too.
constexpr std::array<std::string_view, 14> kOtherSettings{
    "meta",     "fail",   "url",    "method", "headers",     "body",    "model",
    "base_url", "prompt", "system", "tools",  "temperature", "session", "rollback",
};

std::vector<std::string_view> knownSettings()
{
    std::vector<std::string_view> known(kOtherSettings.begin(), kOtherSettings.end());
    for (const NodeSetting& setting : commonSettings())
        known.push_back(setting.key);
    for (const NodeKind& kind : nodeKinds())
        for (const NodeSetting& setting : kind.settings)
            known.push_back(setting.key);
    return known;
}

std::string_view kindOfSettings(const Node& node, const ValueMap& keys)
{
    if (node.subgraph)
        return kSubgraphKind;
    const auto found =
        std::ranges::find_if(kKindsOfKeys, [&](const KindOfKey& each) { return keys.contains(each.key); });
    return found == kKindsOfKeys.end() ? std::string_view() : found->kind;
}

// The settings are the keys that are no field of the owner.
template<typename IsField>
ValueMap settingsOf(const ValueMap& object, IsField isField)
{
    ValueMap settings;
    for (const auto& [key, value] : object)
        if (!isField(key.asString()))
            settings.set(key, value);
    return settings;
}

template<typename IsField>
void putSettings(const ValueMap& settings, const ValueMap& source, IsField isField, ObjectOverlay& object)
{
    for (const auto& [key, value] : source)
        if (!isField(key.asString()) && !settings.contains(key.asString()))
            object.put(key.asString(), std::nullopt);
    for (const auto& [key, value] : settings)
        if (key.isString() && !isField(key.asString()))
            object.put(key.asString(), value);
}

template<typename Owner, std::size_t Count>
bool holdsKey(const std::array<Field<Owner>, Count>& fields, std::string_view key)
{
    return std::ranges::any_of(fields, [key](const auto& field) { return field.key == key; });
}

bool isNodeField(std::string_view key)
{
    return key == "name" || key == "kind" || holdsKey(kNodeFields, key);
}
bool isBranchField(std::string_view key)
{
    return holdsKey(kBranchFields, key);
}

} // namespace

void warnOfKeys(const ValueMap& object, const std::vector<std::string_view>& known, const Place& place,
                Reading& reading, UnknownKeys which)
{
    for (const auto& [key, value] : object) {
        const std::string& name = key.asString();
        if (name.starts_with("x-") || std::ranges::find(known, name) != known.end())
            continue;
        const std::string meant = didYouMean(name, known);
        if (which == UnknownKeys::All || !meant.empty())
            reading.warning(Place(place, name), "unknown-key",
                            "unknown key '" + name + "' has no effect" + meant);
    }
}

namespace {

// A limit beside "limits" instead of in it would be no limit at all.
void hintAtMisplacedLimits(const ValueMap& sandbox, const Place& place, Reading& reading)
{
    for (const auto& [key, value] : sandbox)
        if (holdsKey(kLimitFields, key.asString()))
            reading.warning(Place(place, key.asString()), "unknown-key",
                            "'" + key.asString() + "' has no effect here: write it in \"limits\", as in "
                                + "\"limits\": {\"" + key.asString() + "\": …}");
}

} // namespace

bool readChannel(const std::string& name, const Value& value, const Place& place, Reading& reading,
                 Channel& channel)
{
    channel.name = name;
    if (!isObject(value, place, reading))
        return false;
    channel.source = value.asMap();
    readFields<Channel>(kChannelFields, channel.source, place, reading, channel);
    warnOfKeys(channel.source, keysOf(kChannelFields), place, reading);
    if (!channel.source.contains("type") && channel.source.contains("reducer"))
        channel.type = ChannelType::Reduce;
    return true;
}

Value channelValue(const Channel& channel)
{
    ObjectOverlay object(channel.source);
    const bool impliedByReducer = channel.type == ChannelType::Reduce && !channel.source.contains("type")
        && channel.source.contains("reducer");
    for (const Field<Channel>& field : kChannelFields) {
        const bool isType = field.key == "type";
        const bool isReducer = field.key == "reducer";
        if (isType && impliedByReducer)
            continue;
        const bool always =
            (isType && channel.source.empty()) || (isReducer && channel.type == ChannelType::Reduce);
        object.put(field.key,
                   field.write(channel, object.find(field.key), always ? Presence::Always : field.presence));
    }
    return object.take();
}

bool readNode(const Value& value, const Place& place, Reading& reading, Node& node)
{
    if (!isObject(value, place, reading))
        return false;
    node.source = value.asMap();
    if (!node.source.contains("name")) {
        reading.error(place, "missing-name", "a node needs a \"name\"");
        return false;
    }
    if (!kNodeHeadFields[0].read(value["name"], Place(place, "name"), reading, node))
        return false;
    readFields<Node>(kNodeFields, node.source, place, reading, node);
    node.settings = settingsOf(node.source, isNodeField);
    if (const Value* kind = node.source.find("kind"))
        kKindField.read(*kind, Place(place, "kind"), reading, node);
    else
        node.kind = kindOfSettings(node, node.source);
    auto known = keysOf(kNodeFields, { "name", "kind" });
    static const std::vector<std::string_view> kSettings = knownSettings();
    known.insert(known.end(), kSettings.begin(), kSettings.end());
    // The settings of a kind that is not known here are not either.
    warnOfKeys(node.source, known, place, reading,
               findNodeKind(node.kind) != nullptr ? UnknownKeys::All : UnknownKeys::Misspelt);
    return true;
}

Value nodeValue(const Node& node)
{
    ObjectOverlay object(node.source);
    writeFields<Node>(kNodeHeadFields, node, object);
    const bool isImplied = !node.source.empty() && !node.source.contains("kind")
        && kindOfSettings(node, node.settings) == node.kind;
    if (!isImplied)
        object.put("kind", kKindField.write(node, object.find("kind"), Presence::Always));
    putSettings(node.settings, node.source, isNodeField, object);
    writeFields<Node>(kNodeFields, node, object);
    return object.take();
}

bool readBranch(const Value& value, const Place& place, Reading& reading, Branch& branch)
{
    if (!isObject(value, place, reading))
        return false;
    branch.source = value.asMap();
    if (!branch.source.contains("from")) {
        reading.error(place, "missing-from", "a branch needs \"from\": the node after which it is asked");
        return false;
    }
    readFields<Branch>(kBranchFields, branch.source, place, reading, branch);
    branch.settings = settingsOf(branch.source, isBranchField);
    warnOfKeys(branch.source, keysOf(kBranchFields, { "jq", "file", "function", "timeout_s", "name" }), place,
               reading);
    return true;
}

Value branchValue(const Branch& branch)
{
    ObjectOverlay object(branch.source);
    object.put("from", kBranchFields[0].write(branch, object.find("from"), Presence::Always));
    putSettings(branch.settings, branch.source, isBranchField, object);
    object.put("targets", kBranchFields[1].write(branch, object.find("targets"), Presence::WhenSet));
    return object.take();
}

bool readSandbox(const Value& value, const Place& place, Reading& reading, SandboxSettings& sandbox)
{
    if (!isObject(value, place, reading))
        return false;
    sandbox.source = value.asMap();
    readFields<SandboxSettings>(kSandboxFields, sandbox.source, place, reading, sandbox);
    const auto isLimit = [](std::string_view key) { return holdsKey(kLimitFields, key); };
    warnOfKeys(settingsOf(sandbox.source, isLimit), keysOf(kSandboxFields), place, reading);
    hintAtMisplacedLimits(sandbox.source, place, reading);
    return true;
}

Value sandboxValue(const SandboxSettings& sandbox)
{
    ObjectOverlay object(sandbox.source);
    writeFields<SandboxSettings>(kSandboxFields, sandbox, object);
    return object.take();
}

// true means {}, null and false mean no store.
bool readStore(const Value& value, const Place& place, Reading& reading, StoreSettings& store)
{
    if (value.isNull() || value.isBool()) {
        store.enabled = value.isBool() && value.asBool();
        return true;
    }
    if (!isObject(value, place, reading))
        return false;
    store.enabled = true;
    store.source = value.asMap();
    readFields<StoreSettings>(kStoreFields, store.source, place, reading, store);
    warnOfKeys(store.source, keysOf(kStoreFields), place, reading);
    return true;
}

Value storeValue(const StoreSettings& store)
{
    if (!store.enabled)
        return {};
    ObjectOverlay object(store.source);
    writeFields<StoreSettings>(kStoreFields, store, object);
    return object.entries().empty() ? Value(true) : Value(object.take());
}

} // namespace sg::graph
