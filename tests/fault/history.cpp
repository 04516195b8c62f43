#include "tests/fault/history.h"

#include "core/base/json.h"

#include <algorithm>

namespace sg::fault {
namespace {

// "00000000000000000000000000000003.0123456789abcdef" → "3"
std::string versionNumber(const Value& version)
{
    if (!version.isString())
        return toJson(version);
    const std::string digits = version.asString().substr(0, version.asString().find('.'));
    const auto first = digits.find_first_not_of('0');
    return first == std::string::npos ? "0" : digits.substr(first);
}

std::string versionsText(const ValueMap& versions)
{
    std::vector<std::string> lines;
    for (const auto& [channel, version] : versions)
        lines.push_back(channel.asString() + ' ' + versionNumber(version));
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines)
        text += line + ';';
    return text;
}

// A run that goes on notes what it had seen before; one that is never broken off has no reason to.
std::string seenText(const ValueMap& versionsSeen)
{
    std::vector<std::string> lines;
    for (const auto& [node, versions] : versionsSeen)
        if (node.asString() != "__interrupt__" && versions.isMap())
            lines.push_back(node.asString() + ": " + versionsText(versions.asMap()));
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines)
        text += line + '\n';
    return text;
}

std::string textOf(const checkpoint::CheckpointRecord& record)
{
    const checkpoint::Checkpoint& stored = record.checkpoint;
    std::vector<std::string> values;
    for (const auto& [channel, value] : stored.channelValues)
        values.push_back(channel.asString() + " = " + toJson(value));
    std::ranges::sort(values);
    std::string text = record.metadata.source.text() + '\n';
    for (const std::string& value : values)
        text += value + '\n';
    text +=
        "versions " + versionsText(stored.channelVersions) + '\n' + seenText(stored.versionsSeen) + "updated";
    for (const std::string& channel : stored.updatedChannels.value_or(std::vector<std::string>()))
        text += ' ' + channel;
    return text;
}

// True for a channel that says how a task ended or what it was told, not what it produced.
bool isControl(const std::string& channel)
{
    return channel == "__interrupt__" || channel == "__resume__" || channel == "__error__"
        || channel == "__error_source_node__";
}

void readWrites(const checkpoint::CheckpointRecord& record, StoredStep& step, History& history)
{
    for (const checkpoint::PendingWrite& write : record.writes) {
        if (isControl(write.channel))
            continue;
        history.finishedTasks.insert(write.taskId.value);
        step.writes.push_back(write.taskPath + ' ' + write.channel + " = " + toJson(write.value));
    }
    std::ranges::sort(step.writes);
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + '\n';
    return text;
}

std::string firstDifference(const StoredStep& found, const StoredStep& expected)
{
    if (found.step != expected.step)
        return "step " + std::to_string(found.step) + " stands where step " + std::to_string(expected.step)
            + " should";
    if (found.text != expected.text)
        return "step " + std::to_string(found.step) + " holds\n" + found.text + "\ninstead of\n"
            + expected.text;
    return {};
}

// A nested namespace holds task ids: its checkpoints tell which one it is.
std::vector<std::string> namespaceTexts(const History& history)
{
    std::vector<std::string> texts;
    for (const auto& [ns, steps] : history.namespaces) {
        std::string text = ns.empty() ? "root\n" : "nested\n";
        for (const StoredStep& step : steps) {
            text += std::to_string(step.step) + ' ' + step.text + '\n';
            for (const std::string& write : step.writes)
                text += "  " + write + '\n';
        }
        texts.push_back(std::move(text));
    }
    std::ranges::sort(texts);
    return texts;
}

} // namespace

Result<History> readHistory(checkpoint::CheckpointStore& store, const ThreadId& thread)
{
    History history;
    std::string problem;
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    auto listed = store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        if (!record.problem.empty())
            problem = record.problem;
        StoredStep step;
        step.id = record.ref.id.value;
        step.parent = record.parent ? record.parent->value : std::string();
        step.step = record.metadata.step;
        step.text = textOf(record);
        readWrites(record, step, history);
        history.checkpoints.insert(step.id);
        history.namespaces[record.ref.ns].push_back(std::move(step));
        return true;
    });
    if (!listed)
        return std::move(listed.error());
    if (!problem.empty())
        return Error{ Errc::Corrupt, problem };
    for (auto& [ns, steps] : history.namespaces)
        std::ranges::reverse(steps);
    return history;
}

std::string problemOfChains(const History& history)
{
    for (const auto& [ns, steps] : history.namespaces) {
        std::string parent;
        std::int64_t expected = -1;
        for (const StoredStep& step : steps) {
            if (step.step != expected)
                return "namespace '" + ns + "' has step " + std::to_string(step.step) + " where "
                    + std::to_string(expected) + " should follow";
            if (step.parent != parent)
                return "step " + std::to_string(step.step) + " of namespace '" + ns
                    + "' is no child of the step before";
            parent = step.id;
            ++expected;
        }
    }
    return {};
}

std::string problemOfPrefix(const History& part, const History& whole)
{
    const auto found = part.namespaces.find("");
    if (found == part.namespaces.end())
        return {};
    const std::vector<StoredStep>& steps = found->second;
    const std::vector<StoredStep>& expected = whole.namespaces.at("");
    if (steps.size() > expected.size())
        return "there are more checkpoints than the unbroken run has";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (const std::string problem = firstDifference(steps[i], expected[i]); !problem.empty())
            return problem;
        const bool isNewest = i + 1 == steps.size();
        if (isNewest ? !std::ranges::includes(expected[i].writes, steps[i].writes)
                     : steps[i].writes != expected[i].writes)
            return "step " + std::to_string(steps[i].step) + " has the writes\n" + joined(steps[i].writes)
                + "instead of\n" + joined(expected[i].writes);
    }
    return {};
}

std::string problemOfDifference(const History& history, const History& expected)
{
    if (std::string problem = problemOfPrefix(history, expected); !problem.empty())
        return problem;
    const auto found = namespaceTexts(history);
    const auto wanted = namespaceTexts(expected);
    if (found.size() != wanted.size())
        return "there are " + std::to_string(found.size()) + " namespaces instead of "
            + std::to_string(wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != wanted[i])
            return "a namespace holds\n" + found[i] + "\ninstead of\n" + wanted[i];
    return {};
}

} // namespace sg::fault
