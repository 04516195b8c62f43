#include "ui/bridge/log/output_lines.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kLongestLine = 16 * 1024; // bytes

} // namespace

void OutputLines::put(Line& line, std::string_view bytes, std::vector<LogRow>& rows)
{
    AnsiText::Line shown = line.look.take(bytes);
    rows.push_back(line.row);
    rows.back().text = std::move(shown.text);
    rows.back().spans = std::move(shown.spans);
}

void OutputLines::add(const LogRow& like, std::string_view bytes, std::vector<LogRow>& rows)
{
    Line& line = m_lines[{ like.task, like.stream }];
    line.row = like;
    line.bytes += bytes;
    const std::string_view all = line.bytes;
    std::size_t begin = 0;
    while (begin < all.size()) {
        const std::size_t feed = all.find('\n', begin);
        if (feed == std::string_view::npos && all.size() - begin < kLongestLine
            && like.stream != LogRow::Stream::Event)
            break;
        const std::size_t end = std::min({ feed, all.size(), begin + kLongestLine });
        put(line, all.substr(begin, end - begin), rows);
        begin = end == feed ? end + 1 : end;
    }
    line.bytes.erase(0, begin);
}

void OutputLines::end(const QString& task, std::vector<LogRow>& rows)
{
    auto line = m_lines.lower_bound({ task, LogRow::Stream::Out });
    while (line != m_lines.end() && line->first.first == task) {
        if (!line->second.bytes.empty())
            put(line->second, line->second.bytes, rows);
        line = m_lines.erase(line);
    }
}

bool OutputLines::isOpen(const LogRow& like) const
{
    const auto line = m_lines.find({ like.task, like.stream });
    return line != m_lines.end() && !line->second.bytes.empty();
}

std::vector<LogRow> OutputLines::takeOpen()
{
    std::vector<LogRow> rows;
    for (auto& [key, line] : m_lines)
        if (!line.bytes.empty())
            put(line, line.bytes, rows);
    m_lines.clear();
    return rows;
}

} // namespace sg::ui
