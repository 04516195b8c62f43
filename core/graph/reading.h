#pragma once

#include "core/graph/graph_file.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// The place of a value in the file. It becomes a JSON pointer only when there is something to report. A Place
// refers to its parent and its key and must not outlive either.
class Place {
public:
    Place() = default; // the whole file
    Place(const Place& parent, std::string_view key)
        : m_parent(&parent)
        , m_key(key)
    {
    }
    Place(const Place& parent, std::size_t index)
        : m_parent(&parent)
        , m_index(index)
        , m_isIndex(true)
    {
    }
    [[nodiscard]] std::string pointer() const;

private:
    const Place* m_parent = nullptr;
    std::string_view m_key;
    std::size_t m_index = 0;
    bool m_isIndex = false;
};

// Returns the position of a pointer's value, or of its nearest container; 0:0 in a graph without a text.
JsonPosition positionOf(const std::map<std::string, JsonPosition, std::less<>>& positions,
                        std::string_view pointer);

// Collects the problems found while reading a file or one value of it.
class Reading {
public:
    void error(const Place& place, std::string code, std::string message);
    void warning(const Place& place, std::string code, std::string message);
    void hint(const Place& place, std::string code, std::string message);
    void skip(const Place& place); // a part that is left out, so that saving would lose it

    // These bound hostile files; false: there is too much, which is reported once.
    bool enterGraph(const Place& place);
    void leaveGraph() { --m_depth; }
    bool countElements(const Place& place, std::size_t count, std::size_t limit, const char* what);

    std::vector<Problem> problems;
    std::vector<std::string> skipped;

private:
    void report(Problem::Severity severity, const Place& place, std::string code, std::string message);

    int m_depth = 0;
    std::size_t m_elements = 0;
};

} // namespace sg::graph
