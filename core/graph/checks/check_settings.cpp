#include "core/base/file.h"
#include "core/graph/checks/checks.h"
#include "core/graph/module_names.h"
#include "core/graph/near_name.h"
#include "core/graph/own_secrets.h"
#include "core/graph/requirement.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace sg::graph {

namespace {

constexpr int kLargestRecursion = 1'000'000;

void checkInterrupts(const GraphScope& scope, const std::vector<std::string>& names, const Place& place)
{
    if (names == std::vector<std::string>{ "*" })
        return;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!scope.nodes.contains(names[i]))
            scope.error(Place(place, i), "unknown-node",
                        "interrupt at unknown node '" + names[i] + "'"
                            + didYouMean(names[i], scope.nodeNames));
}

// Reports conditions with a bad program, and those without a breakpoint.
void checkConditions(const GraphScope& scope, const Conditions& conditions,
                     const std::vector<std::string>& breakpoints, const Place& place)
{
    const bool all = std::ranges::find(breakpoints, "*") != breakpoints.end();
    for (const auto& [node, program] : conditions) {
        const Place at(place, node);
        if (!scope.nodes.contains(node))
            scope.warning(at, "unknown-node",
                          "a breakpoint's condition for unknown node '" + node + "'"
                              + didYouMean(node, scope.nodeNames));
        else if (!all && std::ranges::find(breakpoints, node) == breakpoints.end())
            scope.hint(at, "unused-condition",
                       "the condition has no effect: '" + node + "' has no such breakpoint");
        checkProgram(scope, Value(program), at);
    }
}

void checkWord(const GraphScope& scope, const std::string& word, const Place& place,
               const std::vector<std::string_view>& known)
{
    if (word.empty() || std::ranges::find(known, word) != known.end())
        return;
    std::string list;
    for (const auto each : known)
        list += (list.empty() ? "" : ", ") + std::string(each);
    scope.error(place, "bad-setting", "'" + word + "' is none of " + list + didYouMean(word, known));
}

template<typename Number>
void checkRange(const GraphScope& scope, const std::optional<Number>& value, const Place& place, double least,
                double most)
{
    if (!value || (static_cast<double>(*value) >= least && static_cast<double>(*value) <= most))
        return;
    const auto text = [](double number) { return toJson(Value(number)); };
    scope.error(place, "bad-limit", "the limit must be from " + text(least) + " to " + text(most));
}

void checkStore(const GraphScope& scope)
{
    constexpr double kLongestTtl = 60.0 * 24 * 366 * 100; // in minutes
    const Place place(scope.place, "store");
    const StoreSettings& store = scope.graph.store;
    if (store.ttl && !(*store.ttl > 0 && *store.ttl <= kLongestTtl))
        scope.error(Place(place, "ttl"), "bad-number",
                    "\"ttl\" is a number of minutes, more than 0 to 100 years");
    if (store.tenant.find('.') != std::string::npos || store.tenant == "langgraph" || store.tenant == "*")
        scope.error(
            Place(place, "tenant"), "bad-setting",
            "a tenant is the first label of namespaces: text without '.', not \"langgraph\" or \"*\"");
}

void checkOwnSessions(const GraphScope& scope, const Place& place)
{
    const std::vector<std::string>& names = scope.graph.sandbox.ownSessions;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!scope.nodes.contains(names[i]))
            scope.error(Place(place, i), "unknown-node",
                        "a session of its own for unknown node '" + names[i] + "'"
                            + didYouMean(names[i], scope.nodeNames));
}

void checkRequirements(const GraphScope& scope, const Place& place)
{
    constexpr std::size_t kMostFile = 1U << 20;
    const Requirements& wanted = scope.graph.sandbox.requirements;
    for (std::size_t i = 0; i < wanted.lines.size(); ++i)
        if (const auto line = parseRequirement(wanted.lines[i]); !line)
            scope.error(Place(place, i), "bad-requirement", line.error().message);
    if (wanted.file.empty())
        return;
    const auto file = findFile(scope, wanted.file, place, "requirements file");
    if (!file)
        return;
    const auto text = readFile(*file, kMostFile);
    const auto lines = text ? parseRequirementsFile(*text) : Result<std::vector<std::string>>(text.error());
    if (!lines)
        scope.error(place, "bad-requirement", wanted.file + ": " + lines.error().message);
}

bool isWithin(const std::filesystem::path& real, const std::filesystem::path& folder)
{
    const std::filesystem::path below = real.lexically_relative(folder);
    return !below.empty() && *below.begin() != "..";
}

// Sandboxes are shown these folders and nothing that links in them lead to: what is behind one cannot be
// imported.
void checkModuleLinks(const GraphScope& scope, const Place& place, const std::string& name)
{
    constexpr int kMostEntries = 10'000;
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path root = fs::canonical(scope.checking.host.folder, error);
    const fs::path real = error ? fs::path() : fs::canonical(root / name, error);
    if (error)
        return; // there is none, or a named one is an error already
    if (!isWithin(real, root)) {
        scope.warning(
            place, "module-link",
            "'" + name
                + "' is a link that leads out of the graph's folder, so nodes cannot import from it; put a "
                  "copy in its place");
        return;
    }
    fs::recursive_directory_iterator entry(real, error);
    for (int i = 0; !error && i < kMostEntries && entry != fs::recursive_directory_iterator(); ++i) {
        std::error_code unread;
        if (entry->is_symlink(unread) && !isWithin(fs::weakly_canonical(entry->path(), unread), real))
            scope.warning(place, "module-link",
                          "'" + name + "/" + entry->path().lexically_relative(real).string()
                              + "' is a link that leads out of '" + name
                              + "', so nodes cannot import it; put a copy in its place");
        entry.increment(error);
    }
}

// Checks the folders whose modules nodes import; their content only if the host looks up files.
void checkModules(const GraphScope& scope, const Place& place)
{
    const std::vector<std::string> none;
    const std::vector<std::string>& names = scope.graph.sandbox.python ? *scope.graph.sandbox.python : none;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto folder = findPath(scope, names[i], Place(place, i), "folder of modules");
        std::error_code error;
        if (folder
            && std::ranges::any_of(std::filesystem::path(names[i]), [](const std::filesystem::path& part) {
                   return part.string().starts_with('.');
               }))
            scope.error(Place(place, i), "bad-path",
                        "'" + names[i]
                            + "' lies in a hidden folder, where keys may be; sandboxes are shown none");
        if (folder && !std::filesystem::is_directory(*folder, error))
            scope.error(Place(place, i), "missing-file", "'" + names[i] + "' is not a folder");
    }
    if (scope.checking.host.folder.empty())
        return;
    std::vector<std::string> searched{ "nodes" };
    if (!scope.graph.sandbox.python)
        searched.emplace_back("lib");
    searched.insert(searched.end(), names.begin(), names.end());
    std::vector<std::string> installed;
    if (scope.graph.sandbox.image.empty()) // else its packages are not known
        installed = scope.checking.host.installedModules;
    for (const std::string& each : scope.graph.sandbox.requirements.lines)
        installed.push_back(moduleOfRequirement(each));
    for (const ModuleClash& clash : moduleClashes(scope.checking.host.folder, searched, installed))
        scope.warning(place, "module-name", clash.message);
    for (const std::string& name : searched)
        checkModuleLinks(scope, place, name);
}

} // namespace

void checkRun(const GraphScope& scope)
{
    checkInterrupts(scope, scope.graph.interruptBefore, Place(scope.place, "interrupt_before"));
    checkInterrupts(scope, scope.graph.interruptAfter, Place(scope.place, "interrupt_after"));
    const Place conditions(scope.place, "interrupt_if");
    checkConditions(scope, scope.graph.interruptIf.before, scope.graph.interruptBefore,
                    Place(conditions, "before"));
    checkConditions(scope, scope.graph.interruptIf.after, scope.graph.interruptAfter,
                    Place(conditions, "after"));
    if (const auto limit = scope.graph.recursionLimit; limit && (*limit < 1 || *limit > kLargestRecursion))
        scope.error(Place(scope.place, "recursion_limit"), "bad-limit",
                    "\"recursion_limit\" is from 1 to 1000000");
    checkWord(scope, scope.graph.durability, Place(scope.place, "durability"), { "sync", "async", "exit" });
    checkStore(scope);
    if (!scope.isNested)
        return;
    for (const char* key : { "durability", "store", "recursion_limit", "sandbox" })
        if (scope.graph.source.contains(key))
            scope.warning(Place(scope.place, key), "unused-key",
                          "\"" + std::string(key)
                              + "\" has no effect in a subgraph: that of the whole graph counts");
}

void checkSandbox(const GraphScope& scope)
{
    const SandboxSettings& sandbox = scope.graph.sandbox;
    const Place place(scope.place, "sandbox");
    if (const auto& backends = scope.checking.host.backends; !backends.empty())
        checkWord(scope, sandbox.backend, Place(place, "backend"), backends);
    checkWord(scope, sandbox.storage, Place(place, "storage"), { "TMPFS", "BIND" });
    checkWord(scope, sandbox.datasets, Place(place, "datasets"), { "NONE", "LOCAL_RO", "API", "HYBRID" });
    checkWord(scope, sandbox.scope, Place(place, "scope"), { "thread", "node", "run" });
    checkWord(scope, sandbox.parallel, Place(place, "parallel"), { "fork", "serial" });
    checkWord(scope, sandbox.poolState, Place(place, "pool_state"), { "running", "paused" });
    checkRange(scope, sandbox.idleTimeoutSeconds, Place(place, "idle_timeout_s"), 0, 2'592'000);
    checkRange(scope, sandbox.maxAgeSeconds, Place(place, "max_age_s"), 0, 2'592'000);
    checkRange(scope, sandbox.pool, Place(place, "pool"), 0, 64);
    checkOwnSessions(scope, Place(place, "own_sessions"));
    checkRequirements(scope, Place(place, "requirements"));
    checkModules(scope, Place(place, "python"));
    const Place limits(place, "limits");
    checkRange(scope, sandbox.limits.memoryMb, Place(limits, "memory_mb"), 32, 16'777'216);
    checkRange(scope, sandbox.limits.tmpfsMb, Place(limits, "tmpfs_mb"), 1, 16'777'216);
    checkRange(scope, sandbox.limits.pids, Place(limits, "pids"), 8, 1'000'000);
    checkRange(scope, sandbox.limits.cpus, Place(limits, "cpus"), 0.01, 4096);
    checkRange(scope, sandbox.limits.openFiles, Place(limits, "open_files"), 64, 1'048'576);
    checkRange(scope, sandbox.limits.cellSeconds, Place(limits, "cell_s"), 0.01, 2'592'000);
    checkRange(scope, sandbox.limits.outputMb, Place(limits, "output_mb"), 1, 4096);
    checkRange(scope, sandbox.limits.stateMb, Place(limits, "state_mb"), 64, 1024);
    for (std::size_t i = 0; i < sandbox.egress.size(); ++i) {
        const std::string& host = sandbox.egress[i];
        if (host.empty() || host.size() > 253 || host.find_first_of(" \t\r\n/") != std::string::npos)
            scope.error(Place(Place(place, "egress"), i), "bad-setting",
                        "an egress entry is a host name, or host:port");
    }
    for (std::size_t i = 0; i < sandbox.secrets.size(); ++i)
        if (!isSecretName(sandbox.secrets[i]))
            scope.error(Place(Place(place, "secrets"), i), "bad-setting",
                        "a secret is named by a letter, then letters, digits, \"_\" and \"-\", at most 64");
    if (const auto& sandboxFault = scope.checking.host.sandboxFault)
        if (const std::string fault = sandboxFault(sandbox); !fault.empty())
            scope.error(place, "not-offered", fault);
}

} // namespace sg::graph
