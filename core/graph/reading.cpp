#include "core/graph/reading.h"

#include <algorithm>

namespace sg::graph {

namespace {

constexpr int kDeepestGraph = 16;
constexpr std::size_t kMostElements = 1'000'000; // nodes, edges, branches and channels of all nested graphs
constexpr std::size_t kMostProblems = 1000;

} // namespace

std::string Place::pointer() const
{
    std::vector<const Place*> path;
    for (const Place* place = this; place->m_parent != nullptr; place = place->m_parent)
        path.push_back(place);
    std::string text;
    for (auto place = path.rbegin(); place != path.rend(); ++place)
        text += "/"
            + ((*place)->m_isIndex ? std::to_string((*place)->m_index) : jsonPointerToken((*place)->m_key));
    return text;
}

JsonPosition positionOf(const std::map<std::string, JsonPosition, std::less<>>& positions,
                        std::string_view pointer)
{
    for (;;) {
        if (const auto found = positions.find(pointer); found != positions.end())
            return found->second;
        const std::size_t slash = pointer.rfind('/');
        if (slash == std::string_view::npos)
            return {};
        pointer = pointer.substr(0, slash);
    }
}

void Reading::report(Problem::Severity severity, const Place& place, std::string code, std::string message)
{
    if (problems.size() < kMostProblems)
        problems.push_back({ severity, std::move(code), std::move(message), place.pointer(), {} });
    else if (problems.size() == kMostProblems)
        problems.push_back(
            { Problem::Severity::Error,
              "too-many-problems",
              "more than " + std::to_string(kMostProblems) + " problems; the rest is not listed",
              "",
              {} });
}

void Reading::error(const Place& place, std::string code, std::string message)
{
    report(Problem::Severity::Error, place, std::move(code), std::move(message));
}

void Reading::warning(const Place& place, std::string code, std::string message)
{
    report(Problem::Severity::Warning, place, std::move(code), std::move(message));
}

void Reading::hint(const Place& place, std::string code, std::string message)
{
    report(Problem::Severity::Hint, place, std::move(code), std::move(message));
}

void Reading::skip(const Place& place)
{
    if (skipped.size() <= kMostElements)
        skipped.push_back(place.pointer());
}

bool Reading::enterGraph(const Place& place)
{
    if (m_depth >= kDeepestGraph) {
        error(place, "too-deep",
              "graphs are nested deeper than " + std::to_string(kDeepestGraph) + " levels");
        return false;
    }
    ++m_depth;
    return true;
}

bool Reading::countElements(const Place& place, std::size_t count, std::size_t limit, const char* what)
{
    m_elements += std::min(count, kMostElements);
    if (count <= limit && m_elements <= kMostElements)
        return true;
    error(place, "too-large",
          "too many " + std::string(what) + " (" + std::to_string(count) + "); at most "
              + std::to_string(limit) + " in one graph and " + std::to_string(kMostElements)
              + " parts in one file are read");
    return false;
}

} // namespace sg::graph
