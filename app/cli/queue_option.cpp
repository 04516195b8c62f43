#include "app/cli/queue_option.h"

#include "app/cli/shell_word.h"

#include <utility>

namespace sg::cli {

void QueueOption::add(Verb verb)
{
    verb.option("--queue", queue,
                "Redis whose workers do nodes with a role: redis://HOST:PORT/0 or unix:///PATH (default: "
                "SANDGLASS_QUEUE)");
    verb.option(
        "--namespace", ns,
        "which of its queues, the same for runs and workers (default: SANDGLASS_QUEUE_NAMESPACE, else "
        "\"default\")");
}

void QueueOption::apply(config::SettingValues& settings) const
{
    for (const auto& [key, option, text] :
         { std::tuple("queue", "--queue", &queue), std::tuple("queue_namespace", "--namespace", &ns) })
        if (!text->empty())
            settings.push_back({ key, *text, config::SettingLayer::CommandLine,
                                 std::string(option) + " on the command line" });
}

std::string QueueOption::words() const
{
    std::string words;
    if (!queue.empty()) {
        std::string shown = queue;
        const std::size_t user = shown.find("://");
        const std::size_t colon = user == std::string::npos ? user : shown.find(':', user + 3);
        const std::size_t at = shown.rfind('@');
        if (at != std::string::npos && colon < at)
            shown.replace(colon + 1, at - colon - 1, "PASSWORD");
        words += " --queue " + shellWord(shown);
    }
    return ns.empty() ? words : words + " --namespace " + shellWord(ns);
}

Error noQueue()
{
    return { Errc::InvalidArgument,
             "which queue? Name its Redis by --queue redis://127.0.0.1:6379/0, or by SANDGLASS_QUEUE in the "
             "environment" };
}

Result<workers::QueueChoice> QueueOption::choice() const
{
    config::SettingValues settings = config::environmentSettings(config::processEnvironment);
    apply(settings);
    const auto merged = config::mergeSettings(settings);
    if (!merged)
        return merged.error();
    auto choice = workers::queueChoice(*merged);
    if (!choice)
        return std::move(choice.error());
    if (!*choice)
        return noQueue();
    return std::move(**choice);
}

} // namespace sg::cli
