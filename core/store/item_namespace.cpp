#include "core/store/item_namespace.h"

#include "core/base/printable.h"

#include <algorithm>

namespace sg::store {
namespace {

bool fits(const std::string& label, const std::string& pattern)
{
    return pattern == "*" || pattern == label;
}

} // namespace

Result<void> checkLabels(const Namespace& ns)
{
    for (const std::string& label : ns) {
        if (label.empty())
            return Error{ Errc::InvalidArgument, "a label of a namespace cannot be empty" };
        if (label.find('.') != std::string::npos || label.find('\0') != std::string::npos)
            return Error{ Errc::InvalidArgument,
                          "the label '" + printableText(label)
                              + "' of a namespace holds '.' or NUL, which separate labels" };
    }
    return {};
}

Result<void> checkItemNamespace(const Namespace& ns)
{
    if (ns.empty())
        return Error{ Errc::InvalidArgument, "an item needs a namespace: one label or more" };
    if (ns.front() == "langgraph")
        return Error{ Errc::InvalidArgument, "the first label of a namespace cannot be \"langgraph\"" };
    return checkLabels(ns);
}

std::string namespaceText(const Namespace& ns)
{
    std::string text;
    for (const std::string& label : ns)
        text += (text.empty() ? "" : ".") + label;
    return text;
}

Namespace namespaceOf(std::string_view text)
{
    Namespace ns;
    for (std::size_t from = 0; !text.empty() && from <= text.size();) {
        const std::size_t dot = std::min(text.find('.', from), text.size());
        ns.emplace_back(text.substr(from, dot - from));
        from = dot + 1;
    }
    return ns;
}

bool hasPrefix(const Namespace& ns, const Namespace& pattern)
{
    return ns.size() >= pattern.size()
        && std::equal(pattern.begin(), pattern.end(), ns.begin(),
                      [](const auto& a, const auto& b) { return fits(b, a); });
}

bool hasSuffix(const Namespace& ns, const Namespace& pattern)
{
    return ns.size() >= pattern.size()
        && std::equal(pattern.rbegin(), pattern.rend(), ns.rbegin(),
                      [](const auto& a, const auto& b) { return fits(b, a); });
}

} // namespace sg::store
