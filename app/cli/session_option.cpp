#include "app/cli/session_option.h"

#include "app/cli/shell_word.h"
#include "core/sandbox/backend_kinds.h"

#include <filesystem>
#include <utility>

namespace sg::cli {

void SessionOption::add(Verb verb)
{
    std::vector<std::string> backends;
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        backends.emplace_back(kind.name);
    backends.emplace_back(sandbox::kAutoBackend);
    verb.option("--backend", backend,
                "sandbox: " + sandbox::backendNames([](const auto&) { return true; })
                    + " (default: as the graph says, else what is there)")
        .oneOf(backends);
    verb.option("--mode", mode,
                "storage and dataset access in one word: TMPFS_LOCAL, API_TMPFS, BIND_HYBRID");
    verb.option("--storage", storage, "TMPFS (in memory) or BIND (a folder that stays)");
    verb.option("--datasets", datasets, "NONE, LOCAL_RO, API or HYBRID");
    const std::string container(sandbox::firstBackendOn(sandbox::RunsOn::Image).name);
    verb.option("--image", image, "container image (" + container + ")");
    verb.option("--scope", scope, "what shares a session: thread, node or run");
    verb.option("--set", set,
                "any session setting, KEY=VALUE; repeated for more. See: sandglass session settings");
    verb.option("--env-file", envFile,
                "variables beneath the environment's (default: the project's sandbox.env)");
    verb.flag("--offline", offline, "fetch nothing for the graph's Python requirements");
    const auto mayBeKept = [](const sandbox::BackendKind& kind) { return kind.mayBeKept; };
    verb.flag("--keep-session", keep,
              "let the session live on after this command (" + sandbox::backendNames(mayBeKept) + ")");
}

Result<void> SessionOption::apply(workbench::WorkbenchOptions& options) const
{
    options.backend = backend;
    options.keepSessions = keep;
    if (!envFile.empty())
        options.envFile = std::filesystem::absolute(envFile);
    for (const auto& [key, text] :
         { std::pair("mode", &mode), std::pair("storage", &storage), std::pair("datasets", &datasets),
           std::pair("image", &image), std::pair("scope", &scope) })
        if (!text->empty())
            options.settings.push_back({ key, *text, config::SettingLayer::CommandLine,
                                         "--" + std::string(key) + " on the command line" });
    if (offline)
        options.settings.push_back(
            { "offline", "yes", config::SettingLayer::CommandLine, "--offline on the command line" });
    for (const std::string& text : set) {
        auto value = config::commandLineSetting(text);
        if (!value)
            return std::move(value.error());
        options.settings.push_back(std::move(*value));
    }
    return {};
}

std::string SessionOption::words() const
{
    std::string words;
    for (const auto& [option, text] :
         { std::pair("backend", &backend), std::pair("mode", &mode), std::pair("storage", &storage),
           std::pair("datasets", &datasets), std::pair("image", &image), std::pair("scope", &scope),
           std::pair("env-file", &envFile) })
        if (!text->empty())
            words += std::string(" --") + option + " " + shellWord(*text);
    for (const std::string& each : set)
        words += " --set " + shellWord(each);
    return words + (offline ? " --offline" : "") + (keep ? " --keep-session" : "");
}

} // namespace sg::cli
