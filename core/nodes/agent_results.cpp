#include "core/nodes/agent_results.h"

#include "core/base/hash.h"
#include "core/base/relative_path.h"
#include "core/nodes/agent_python.h"
#include "core/nodes/agent_tools.h"
#include "core/nodes/python_node.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace sg::nodes {
namespace {

using engine::TaskContext;

constexpr std::size_t kLongestName = 120;

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

std::size_t characters(std::string_view text)
{
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, isContinuation));
}

// The byte where the character of that number begins.
std::size_t byteOf(std::string_view text, std::size_t character)
{
    for (std::size_t at = 0; at < text.size(); ++at)
        if (!isContinuation(text[at]) && character-- == 0)
            return at;
    return text.size();
}

// Ids of calls are the model's words.
std::string fileName(const agents::ToolCall& call)
{
    std::string name = (call.name + "-" + call.id).substr(0, kLongestName);
    std::ranges::replace_if(
        name,
        [](char c) {
            return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
                     || c == '-');
        },
        '_');
    return name;
}

// Some models give calls of every turn the same ids, and one call may leave several files: the thread's
// artifact that holds something else stays, and the new one gets a number.
std::string freePath(artifacts::ArtifactStore& store, const ThreadId& thread, const std::string& name,
                     const std::string& ending, const std::string& hash)
{
    std::string file = name + ending;
    for (int number = 2;; ++number) {
        const std::string path = "tool-results/" + file;
        const auto known = store.list({ thread, std::nullopt, file, std::nullopt });
        const bool isTaken = known && std::ranges::any_of(*known, [&](const artifacts::Artifact& each) {
                                 return each.path == path && each.sha256 != hash;
                             });
        if (!isTaken)
            return path;
        file = name + "-" + std::to_string(number) + ending;
    }
}

std::int64_t nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

AgentResults::AgentResults(std::shared_ptr<const NodeWorld> world, std::size_t most, bool hasSession)
    : m_world(std::move(world))
    , m_most(most)
{
    if (!hasSession)
        return;
    PythonFunction made{ *RelativePath::parse("sandbox_tools.py"), "__sg_keep__", std::nullopt };
    made.appended = agentToolsCode();
    made.isFileless = true;
    m_intoSession = makePythonBody(m_world, std::move(made));
}

std::string AgentResults::shown(std::string text, const agents::ToolCall& call, TaskContext& task) const
{
    const std::size_t all = characters(text);
    if (all <= m_most)
        return text;
    const std::string place = stored(text, ".txt", call, task);
    return text.substr(0, byteOf(text, m_most * 3 / 4)) + "\n[… " + std::to_string(all)
        + " characters in all; " + place + " …]\n" + text.substr(byteOf(text, all - m_most / 8));
}

std::string AgentResults::kept(const std::string& bytes, const std::string& ending,
                               const agents::ToolCall& call, TaskContext& task) const
{
    return "[" + std::to_string(bytes.size()) + " bytes; " + stored(bytes, ending, call, task) + "]";
}

std::string AgentResults::stored(const std::string& bytes, const std::string& ending,
                                 const agents::ToolCall& call, TaskContext& task) const
{
    const std::string name = fileName(call);
    if (m_intoSession) {
        CallContext context(
            task, task.info().node,
            Value::map({ { "name", name }, { "ending", ending }, { "content", Value(Bytes{ bytes }) } }));
        auto outcome = m_intoSession->run(context);
        if (const auto* kept = std::get_if<engine::Returned>(&outcome))
            return "the whole result is the file " + kept->value.stringOr("path", "");
    }
    if (m_world->artifacts == nullptr)
        return "the rest is not kept: this run has no artifacts";
    const engine::TaskInfo& info = task.info();
    const std::string path = freePath(*m_world->artifacts, info.thread, name, ending, sha256Hex(bytes));
    const artifacts::ArtifactOrigin origin{ info.thread, info.run,        {},       info.node,
                                            info.task,   info.checkpoint, info.step };
    auto writer = m_world->artifacts->begin(*RelativePath::parse(path), nowNs(), origin);
    auto written = writer ? (*writer)->write(bytes) : Result<void>(writer.error());
    auto done = written ? (*writer)->finish() : Result<artifacts::Artifact>(written.error());
    if (!done)
        return "the rest could not be kept: " + done.error().message;
    if (m_world->artifactStored)
        m_world->artifactStored(info, *done);
    return "the whole result is the artifact " + path + ", which the user sees";
}

} // namespace sg::nodes
