#pragma once

#include "ui/bridge/log/ansi_text.h"
#include "ui/bridge/rows/rows.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::ui {

// Splits output that comes in pieces into log rows, one a line, with the time of the piece that ended it. A
// longer line than 16 KB continues in the next row; an event is a row of its own. One thread at a time.
class OutputLines {
public:
    // `like` has the piece's task, stream and time.
    void add(const LogRow& like, std::string_view bytes, std::vector<LogRow>& rows);
    // The task has ended, or nothing more is known of it: adds its last line even without a line feed.
    void end(const QString& task, std::vector<LogRow>& rows);
    [[nodiscard]] bool isOpen(const LogRow& like) const; // a line of its task and stream has begun
    [[nodiscard]] std::vector<LogRow> takeOpen(); // all unfinished lines

private:
    using Key = std::pair<QString, LogRow::Stream>;
    struct Line {
        LogRow row; // with the last piece's time
        std::string bytes;
        AnsiText look; // attributes last over line ends
    };
    static void put(Line& line, std::string_view bytes, std::vector<LogRow>& rows);

    std::map<Key, Line> m_lines;
};

} // namespace sg::ui
