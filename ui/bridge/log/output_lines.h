#pragma once

#include "ui/bridge/log/ansi_text.h"
#include "ui/bridge/rows/rows.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::ui {

// Output that comes in pieces, as rows of a log: one a line, with the time of the piece that ended it. What
// has no line feed within 16 KB goes on in the next row; an event is a line of its own. One thread at a time.
class OutputLines {
public:
    // `like`: whose piece it is, and when it came.
    void add(const LogRow& like, std::string_view bytes, std::vector<LogRow>& rows);
    // The task has ended, or nothing more is known of it: what it printed last without a line feed.
    void end(const QString& task, std::vector<LogRow>& rows);
    [[nodiscard]] bool isOpen(const LogRow& like) const; // a line of its task and stream has begun
    [[nodiscard]] std::vector<LogRow> takeOpen(); // all that have

private:
    using Key = std::pair<QString, LogRow::Stream>;
    struct Line {
        LogRow row; // of the last piece
        std::string bytes;
        AnsiText look; // outlasts lines
    };
    static void put(Line& line, std::string_view bytes, std::vector<LogRow>& rows);

    std::map<Key, Line> m_lines;
};

} // namespace sg::ui
