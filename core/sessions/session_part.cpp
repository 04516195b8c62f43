#include "core/sessions/session_part.h"

#include <string_view>

namespace sg::sessions {
namespace {

constexpr std::string_view kNode = "node ";
constexpr std::string_view kRun = "run";

std::string withNode(std::string part, const NodeId& node)
{
    if (!node.empty())
        part += (part.empty() ? "" : " ") + std::string(kNode) + node.value;
    return part;
}

std::string runText(const RunId& run)
{
    return std::string(kRun) + " " + run.value;
}

} // namespace

SessionPart SessionPart::ofNode(const NodeId& node)
{
    return parse(withNode({}, node));
}

SessionPart SessionPart::ofRun(const RunId& run, const NodeId& node)
{
    return parse(withNode(runText(run), node));
}

SessionPart SessionPart::ofAnyRun(const NodeId& node)
{
    return parse(withNode(std::string(kRun), node));
}

SessionPart SessionPart::parse(std::string text)
{
    SessionPart part;
    part.m_text = std::move(text);
    return part;
}

NodeId SessionPart::node() const
{
    const std::size_t at = m_text.find(kNode);
    return NodeId(at == std::string::npos ? std::string() : m_text.substr(at + kNode.size()));
}

bool SessionPart::isOf(const RunId& run) const
{
    const std::string whole = runText(run);
    return m_text == whole || m_text.starts_with(whole + " " + std::string(kNode));
}

bool SessionPart::isOfARun() const
{
    return m_text.starts_with(kRun);
}

} // namespace sg::sessions
