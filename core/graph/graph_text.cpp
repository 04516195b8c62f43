#include "core/graph/graph_file.h"
#include "core/graph/graph_value.h"

#include <algorithm>

// Only their place and kind decide which values share a line, never their length: changing a parameter
// changes its own line and no other.
namespace sg::graph {

namespace {

bool isScalar(const Value& value)
{
    return !value.isList() && !value.isMap();
}

bool isFlatList(const Value& value)
{
    return value.isList() && std::ranges::all_of(value.asList(), isScalar);
}

bool isFlat(const Value& value)
{
    if (!value.isMap())
        return isScalar(value) || isFlatList(value);
    return std::ranges::all_of(
        value.asMap(), [](const auto& entry) { return isScalar(entry.second) || isFlatList(entry.second); });
}

class Writer {
public:
    std::string text() &&
    {
        m_text += '\n';
        return std::move(m_text);
    }

    void graph(const ValueMap& object)
    {
        members(object, [this](std::string_view key, const Value& value) {
            if (value.isList() && (key == "nodes" || key == "branches"))
                elements(value.asList(), [this](const Value& part) { node(part); });
            else if (value.isList() && key == "edges")
                elements(value.asList(), [this](const Value& edge) { inlined(edge); });
            else if (value.isMap() && (key == "state" || key == "layout"))
                members(value.asMap(), [this](std::string_view name, const Value& entry) {
                    if (name == kNotes && entry.isList())
                        elements(entry.asList(), [this](const Value& note) { inlined(note); });
                    else
                        inlined(entry);
                });
            else if (value.isMap() && key == "sandbox")
                members(value.asMap(), [this](std::string_view, const Value& setting) { expanded(setting); });
            else
                any(value);
        });
    }

private:
    void inlined(const Value& value) { m_text += toJson(value, JsonStyle::Spaced); }

    void any(const Value& value)
    {
        if (isFlat(value))
            inlined(value);
        else
            expanded(value);
    }

    void expanded(const Value& value)
    {
        if (value.isMap())
            members(value.asMap(), [this](std::string_view, const Value& entry) { any(entry); });
        else if (value.isList() && !isFlatList(value))
            elements(value.asList(), [this](const Value& entry) { any(entry); });
        else
            inlined(value);
    }

    void node(const Value& value)
    {
        if (!value.isMap())
            return any(value);
        members(value.asMap(), [this](std::string_view key, const Value& entry) {
            if (key == "graph" && entry.isMap())
                graph(entry.asMap());
            else
                any(entry);
        });
    }

    template<typename Write>
    void members(const ValueMap& map, Write write)
    {
        block('{', '}', map, [&](const ValueMap::Entry& entry) {
            m_text += toJson(entry.first) + ": ";
            write(entry.first.isString() ? std::string_view(entry.first.asString()) : std::string_view(),
                  entry.second);
        });
    }

    template<typename Write>
    void elements(const ValueList& list, Write write)
    {
        block('[', ']', list, write);
    }

    template<typename Range, typename Write>
    void block(char open, char close, const Range& range, Write write)
    {
        m_text += open;
        ++m_depth;
        bool first = true;
        for (const auto& item : range) {
            m_text += first ? "\n" : ",\n";
            m_text.append(m_depth * 2, ' ');
            write(item);
            first = false;
        }
        --m_depth;
        if (!first) {
            m_text += '\n';
            m_text.append(m_depth * 2, ' ');
        }
        m_text += close;
    }

    std::string m_text;
    std::size_t m_depth = 0;
};

} // namespace

std::string graphText(const Graph& graph)
{
    const Value value = graphValue(graph);
    Writer writer;
    writer.graph(value.asMap());
    return std::move(writer).text();
}

} // namespace sg::graph
