#include "core/config/setting_layers.h"

#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/config/secrets.h"
#include "core/graph/near_name.h"
#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace sg::config {
namespace {

using Kind = SettingKey::Kind;
using sessions::DatasetAccess;
using sessions::SessionStorage;

constexpr double kLongest = 2'592'000; // 30 days, in seconds
constexpr std::size_t kMostEnvFile = 1U << 20;

const std::string kBackendWords = std::string(sandbox::kAutoBackend) + " "
    + sandbox::backendNames([](const sandbox::BackendKind&) { return true; }, " ");

const std::array kKeys{
    SettingKey{ "backend", "SANDBOX_BACKEND", Kind::Word, 0, 0, kBackendWords, "what makes the sandboxes" },
    SettingKey{ "connection", "SANDBOX_CONNECTION", Kind::Text, 0, 0, "",
                "the connection of e2b, by its name: see sandglass connection" },
    SettingKey{ "mode", "SESSION_MODE", Kind::Mode, 0, 0, "",
                "storage and dataset access together: TMPFS_LOCAL" },
    SettingKey{ "storage", "SESSION_STORAGE", Kind::Mode, 0, 0, "", "TMPFS or BIND" },
    SettingKey{ "datasets", "DATASET_ACCESS", Kind::Mode, 0, 0, "", "NONE, LOCAL_RO, API or HYBRID" },
    SettingKey{ "image", "SANDBOX_IMAGE", Kind::Text, 0, 0, "", "container image" },
    SettingKey{ "scope", "SESSION_SCOPE", Kind::Word, 0, 0, "thread node run", "what shares a session" },
    SettingKey{ "datasets_folder", "DATASETS_HOST_RO", Kind::Folder, 0, 0, "", "the folder of LOCAL_RO" },
    SettingKey{ "hybrid_folder", "HYBRID_LOCAL_PATH", Kind::Folder, 0, 0, "", "the folder of HYBRID" },
    SettingKey{ "sessions_root", "SESSIONS_ROOT", Kind::Folder, 0, 0, "", "folders of BIND sessions" },
    SettingKey{ "blobs", "BLOBSTORE_DIR", Kind::Folder, 0, 0, "", "artifacts' contents" },
    SettingKey{ "blobs_mb", "BLOBSTORE_MB", Kind::Count, 1, 1'073'741'824, "",
                "what that folder keeps of contents that are in the bucket, MiB (4096)" },
    SettingKey{
        "bucket", "SANDGLASS_BLOBS", Kind::Text, 0, 0, "",
        "a bucket that machines share for artifacts' contents: s3://BUCKET/PREFIX; none: the folder alone; a "
        "project's own file names one if you have allowed it" },
    SettingKey{ "artifacts_db", "ARTIFACTS_DB", Kind::Folder, 0, 0, "", "artifacts' database" },
    SettingKey{ "memory_mb", "SANDBOX_MEMORY_MB", Kind::Count, 32, 16'777'216, "",
                "memory of a session, MiB" },
    SettingKey{ "tmpfs_mb", "TMPFS_SIZE_MB", Kind::Count, 1, 16'777'216, "", "all its tmpfs together, MiB" },
    SettingKey{ "pids", "SANDBOX_PIDS", Kind::Count, 8, 1'000'000, "", "processes and threads of a session" },
    SettingKey{ "cpus", "SANDBOX_CPUS", Kind::Number, 0.01, 4096, "", "CPUs of a session" },
    SettingKey{ "open_files", "SANDBOX_OPEN_FILES", Kind::Count, 64, 1'048'576, "",
                "open files of a process" },
    SettingKey{ "cell_s", "SANDBOX_CELL_S", Kind::Number, 0.01, kLongest, "",
                "seconds until a cell is stopped" },
    SettingKey{ "output_mb", "SANDBOX_OUTPUT_MB", Kind::Count, 1, 4096, "", "output of a cell, MiB" },
    SettingKey{ "state_mb", "SANDBOX_STATE_MB", Kind::Count, 64, 1024, "",
                "what a node may be given, or return, at once, MiB" },
    SettingKey{
        "jq_mb", "JQ_MEMORY_MB", Kind::Count, 64, 1'048'576, "",
        "memory of jq programs, MiB (512); what they are given, and what they give, is at most half" },
    SettingKey{ "idle_timeout_s", "SESSION_IDLE_TIMEOUT_S", Kind::Number, 0, kLongest, "",
                "a session ends after so long without a cell; 0: never" },
    SettingKey{ "max_age_s", "SESSION_MAX_AGE_S", Kind::Number, 0, kLongest, "",
                "a session ends so long after its start; 0: never" },
    SettingKey{ "artifact_mb", "MAX_ARTIFACT_SIZE_MB", Kind::Count, 1, 1'048'576, "",
                "size of one artifact, MiB" },
    SettingKey{ "artifacts_days", "ARTIFACTS_DAYS", Kind::Count, 0, 36'500, "",
                "artifacts gc gives up older ones" },
    SettingKey{ "artifacts_mb", "ARTIFACTS_MB", Kind::Count, 1, 1'073'741'824, "",
                "artifacts gc keeps the newest that fit" },
    SettingKey{ "snapshots_live", "SNAPSHOTS_LIVE", Kind::Count, 1, 4096, "",
                "interpreters of a session that sleep for going back" },
    SettingKey{ "snapshots_memory_mb", "SNAPSHOTS_MEMORY_MB", Kind::Count, 1, 16'777'216, "",
                "memory of a session from which on they make room, MiB" },
    SettingKey{ "snapshot_files_mb", "SNAPSHOT_FILES_MB", Kind::Count, 0, 16'777'216, "",
                "files of one snapshot, MiB; over it they are not kept" },
    SettingKey{ "snapshots_mb", "SNAPSHOTS_MB", Kind::Count, 1, 1'073'741'824, "",
                "all that the project keeps of snapshots, MiB" },
    SettingKey{ "pool", "SESSION_POOL", Kind::Count, 0, 64, "", "sessions started ahead" },
    SettingKey{ "pool_state", "SESSION_POOL_STATE", Kind::Word, 0, 0, "running paused", "how they wait" },
    SettingKey{ "preload", "SESSION_PRELOAD", Kind::Names, 0, 0, "",
                "modules imported before the first cell; a pool's default: pandas" },
    SettingKey{ "offline", "SANDBOX_OFFLINE", Kind::Word, 0, 0, "no yes",
                "whether the graph's Python requirements may not be fetched" },
    SettingKey{ "egress", "SANDBOX_EGRESS", Kind::Text, 0, 0, "",
                "hosts that sessions may reach, with commas between; none: no network" },
    SettingKey{
        "egress_trusts", "SANDBOX_EGRESS_TRUSTS", Kind::Text, 0, 0, "",
        "private addresses that an egress rule may name: 127.0.0.1:8080; of environment and command line "
        "alone" },
    SettingKey{ "secrets", "SANDBOX_SECRETS", Kind::Text, 0, 0, "",
                "secrets that a graph gets if it asks; of environment and command line alone" },
    SettingKey{
        "secret_headers", "SANDBOX_SECRET_HEADERS", Kind::Text, 0, 0, "",
        "NAME@HOST Header: text {secret}; …: secrets that the proxy puts into requests, unseen by the code" },
    SettingKey{
        "model_keys", "MODEL_KEYS", Kind::Text, 0, 0, "",
        "NAME@HOST, with blanks between them: secrets that a host of chat models is shown as its key; "
        "of environment and command line alone" },
    SettingKey{ "http_hosts", "HTTP_HOSTS", Kind::Text, 0, 0, "",
                "hosts that http nodes may ask, with blanks between them: api.example.com *.example.org "
                "http://127.0.0.1:8080; of environment and command line alone" },
    SettingKey{
        "otlp_endpoint", "OTLP_ENDPOINT", Kind::Text, 0, 0, "",
        "a collector of OpenTelemetry that runs are told to: http://127.0.0.1:4318; of environment and "
        "command line alone" },
    SettingKey{
        "otlp_header", "OTLP_HEADER", Kind::Text, 0, 0, "",
        "NAME Header: text {secret}: a secret that the collector is shown; of environment and command "
        "line alone" },
    SettingKey{
        "queue", "SANDGLASS_QUEUE", Kind::Text, 0, 0, "",
        "Redis whose workers do nodes with a role: redis://127.0.0.1:6379/0 or unix:///PATH; of environment "
        "and command line alone" },
    SettingKey{ "queue_namespace", "SANDGLASS_QUEUE_NAMESPACE", Kind::Text, 0, 0, "",
                "which of its queues: a-z, 0-9, _ and -; the same for runs and workers (default)" },
    SettingKey{ "runtime", "SANDBOX_RUNTIME", Kind::Text, 0, 0, "",
                "runtime of the container engine, such as runsc (gVisor)" },
};

std::string shown(const std::string& text)
{
    return "\"" + printableText(text.substr(0, 80)) + "\"";
}

Error wrong(const SettingValue& value, const std::string& expected)
{
    return { Errc::InvalidArgument, value.from + ": " + shown(value.text) + " is not " + expected };
}

std::optional<double> numberOf(std::string_view text)
{
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::string numberText(double number)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return { text.data(), end };
}

bool isModuleName(std::string_view name)
{
    return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '_' || letter == '.';
    });
}

Result<void> checkWord(const SettingKey& key, const SettingValue& value)
{
    std::string list;
    for (std::size_t from = 0; from < key.words.size();) {
        const std::size_t end = std::min(key.words.find(' ', from), key.words.size());
        const std::string_view word = key.words.substr(from, end - from);
        if (value.text == word)
            return {};
        list += (list.empty() ? "" : ", ") + std::string(word);
        from = end + 1;
    }
    return wrong(value, "one of " + list);
}

Result<void> checkValue(const SettingKey& key, const SettingValue& value)
{
    switch (key.kind) {
    case Kind::Word: return checkWord(key, value);
    case Kind::Mode: return {}; // checked together with the layer's other values
    case Kind::Text:
    case Kind::Folder:
        if (value.text.empty() || value.text.find('\0') != std::string::npos)
            return wrong(value, "a name");
        return {};
    case Kind::Names:
        for (std::size_t from = 0; from < value.text.size();) {
            const std::size_t end = std::min(value.text.find(',', from), value.text.size());
            if (!isModuleName(std::string_view(value.text).substr(from, end - from)))
                return wrong(value, "a list of Python modules, such as numpy,pandas");
            from = end + 1;
        }
        return {};
    case Kind::Count:
    case Kind::Number: break;
    }
    const auto number = numberOf(value.text);
    const bool isWhole = number && std::floor(*number) == *number;
    if (!number || *number < key.least || *number > key.most || (key.kind == Kind::Count && !isWhole))
        return wrong(value,
                     std::string(key.kind == Kind::Count ? "a whole number" : "a number") + " from "
                         + numberText(key.least) + " to " + numberText(key.most));
    return {};
}

// One half of the mode as a layer sets it, with its place.
template<typename Half>
struct Said {
    std::optional<Half> half;
    std::string from;
};

template<typename Half>
Result<void> say(Said<Half>& said, const std::optional<Half>& half, const SettingValue& value)
{
    if (!half)
        return {};
    if (said.half && *said.half != *half)
        return Error{ Errc::InvalidArgument,
                      value.from + " says " + std::string(nameOf(*half)) + ", but " + said.from + " says "
                          + std::string(nameOf(*said.half)) + ": remove one of them" };
    said = { half, value.from };
    return {};
}

Result<void> mergeMode(const SettingValues& values, SettingLayer layer, MergedSettings& merged)
{
    Said<SessionStorage> storage;
    Said<DatasetAccess> datasets;
    for (const SettingValue& value : values) {
        const SettingKey* key = findSettingKey(value.key);
        if (value.layer != layer || key == nullptr || key->kind != Kind::Mode)
            continue;
        const auto named = sessions::modeNamed(value.text);
        if (!named)
            return Error(named.error()).during(value.from);
        if ((value.key == "storage" && !named->storage) || (value.key == "datasets" && !named->datasets))
            return wrong(
                value, value.key == "storage" ? "one of TMPFS, BIND" : "one of NONE, LOCAL_RO, API, HYBRID");
        if (auto said = say(storage, named->storage, value); !said)
            return said;
        if (auto said = say(datasets, named->datasets, value); !said)
            return said;
    }
    if (storage.half) {
        merged.mode.storage = *storage.half;
        merged.storageFrom = storage.from;
    }
    if (datasets.half) {
        merged.mode.datasets = *datasets.half;
        merged.datasetsFrom = datasets.from;
    }
    return {};
}

void addGraph(SettingValues& to, std::string_view key, std::string_view pointer, std::string text)
{
    to.push_back({ std::string(key), std::move(text), SettingLayer::Graph,
                   "/sandbox/" + std::string(pointer) + " of the graph file" });
}

} // namespace

std::span<const SettingKey> settingKeys()
{
    return kKeys;
}

const SettingKey* findSettingKey(std::string_view name)
{
    const auto found = std::ranges::find(kKeys, name, &SettingKey::name);
    return found == kKeys.end() ? nullptr : &*found;
}

std::optional<std::string> processEnvironment(const std::string& name)
{
    const char* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    return value == nullptr ? takenVariable(name) : std::optional<std::string>(value);
}

SettingValues environmentSettings(const EnvironmentLookup& lookup)
{
    SettingValues values;
    for (const SettingKey& key : kKeys)
        if (const auto text = lookup(std::string(key.variable)); text && !text->empty())
            values.push_back({ std::string(key.name), *text, SettingLayer::Environment,
                               std::string(key.variable) + " in the environment" });
    return values;
}

Result<SettingValues> envFileSettings(const std::filesystem::path& file)
{
    auto text = readFile(file, kMostEnvFile);
    if (!text)
        return std::move(text.error());
    const auto entries = parseEnvFile(*text);
    if (!entries)
        return Error(entries.error()).during(file.string());
    SettingValues values;
    for (const SettingKey& key : kKeys)
        for (const auto& [name, value] : *entries)
            if (name == key.variable) { // the last one counts, as in a shell
                std::erase_if(values, [&](const SettingValue& earlier) { return earlier.key == key.name; });
                if (!value.empty())
                    values.push_back({ std::string(key.name), value, SettingLayer::EnvFile,
                                       name + " in " + file.string() });
            }
    return values;
}

SettingValues graphSettings(const graph::SandboxSettings& sandbox)
{
    SettingValues values;
    const auto text = [&](std::string_view key, const std::string& value) {
        if (!value.empty())
            addGraph(values, key, key, value);
    };
    const auto number = [&](std::string_view key, const auto& value, bool isLimit = true) {
        if (value)
            addGraph(values, key, (isLimit ? "limits/" : "") + std::string(key),
                     numberText(static_cast<double>(*value)));
    };
    text("backend", sandbox.backend);
    text("connection", sandbox.connection);
    text("mode", sandbox.mode);
    text("storage", sandbox.storage);
    text("datasets", sandbox.datasets);
    text("image", sandbox.image);
    text("scope", sandbox.scope);
    text("pool_state", sandbox.poolState);
    number("memory_mb", sandbox.limits.memoryMb);
    number("tmpfs_mb", sandbox.limits.tmpfsMb);
    number("pids", sandbox.limits.pids);
    number("cpus", sandbox.limits.cpus);
    number("open_files", sandbox.limits.openFiles);
    number("cell_s", sandbox.limits.cellSeconds);
    number("output_mb", sandbox.limits.outputMb);
    number("state_mb", sandbox.limits.stateMb);
    number("idle_timeout_s", sandbox.idleTimeoutSeconds, false);
    number("max_age_s", sandbox.maxAgeSeconds, false);
    number("pool", sandbox.pool, false);
    std::string names;
    for (const std::string& name : sandbox.preload)
        names += (names.empty() ? "" : ",") + name;
    text("preload", names);
    std::string hosts;
    for (const std::string& host : sandbox.egress)
        hosts += (hosts.empty() ? "" : ",") + host;
    text("egress", hosts);
    return values;
}

Result<SettingValue> commandLineSetting(const std::string& text)
{
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || findSettingKey(name) == nullptr) {
        if (findSettingKey(name) != nullptr)
            return Error{ Errc::InvalidArgument,
                          "--set takes KEY=VALUE: " + shown(name) + " has no \"=VALUE\"" };
        std::vector<std::string_view> names;
        for (const SettingKey& key : kKeys)
            names.push_back(key.name);
        const std::string meant = graph::didYouMean(name, names);
        return Error{ Errc::InvalidArgument,
                      "--set takes KEY=VALUE with a session setting; there is no " + shown(name)
                          + (meant.empty() ? "." : meant) + " See: sandglass session settings" };
    }
    return SettingValue{ name, text.substr(equals + 1), SettingLayer::CommandLine,
                         "--set " + name + " on the command line" };
}

const std::string* MergedSettings::text(std::string_view key) const
{
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second.text;
}

std::optional<double> MergedSettings::number(std::string_view key) const
{
    const std::string* found = text(key);
    return found == nullptr ? std::nullopt : numberOf(*found);
}

std::string MergedSettings::from(std::string_view key) const
{
    const auto found = values.find(key);
    return found == values.end() ? "built in" : found->second.from;
}

Result<MergedSettings> mergeSettings(const SettingValues& values)
{
    MergedSettings merged;
    merged.storageFrom = merged.datasetsFrom = "built in";
    for (const SettingLayer layer : { SettingLayer::BuiltIn, SettingLayer::Graph, SettingLayer::EnvFile,
                                      SettingLayer::Environment, SettingLayer::CommandLine }) {
        if (auto mode = mergeMode(values, layer, merged); !mode)
            return mode.error();
        for (const SettingValue& value : values) {
            const SettingKey* key = findSettingKey(value.key);
            if (value.layer != layer || key == nullptr || key->kind == Kind::Mode)
                continue;
            if (auto checked = checkValue(*key, value); !checked)
                return checked.error();
            merged.values.insert_or_assign(value.key, value);
        }
    }
    return merged;
}

} // namespace sg::config
