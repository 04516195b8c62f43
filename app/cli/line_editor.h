#pragma once

#include "app/cli/edited_line.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sg::cli {

// Texts that may replace that from `start` (a byte of the line) to the cursor.
struct Suggestions {
    std::size_t start = 0;
    std::vector<std::string> texts;
};

// LineEditor reads lines: from a terminal with editing (arrows, Home, End, Ctrl+A E B F K U W L P N, Ctrl and
// Alt with arrows), completion by Tab and history; from a pipe unchanged. One thread.
class LineEditor {
public:
    using Suggest = std::function<Suggestions(const std::string& line, std::size_t cursor)>;

    struct Line {
        // Entered; Interrupted: Ctrl+C; Ended: Ctrl+D, or the end of the input
        EditedLine::Done done = EditedLine::Done::Entered;
        std::string text;
        bool isPasted = false; // entered within a paste, of which more follows
    };

    // `history`: a file for the last thousand lines; empty: lines are not kept.
    explicit LineEditor(std::filesystem::path history = {}, Suggest suggest = {});

    Line read(const std::string& prompt);

private:
    Line readTerminal(const std::string& prompt);
    std::vector<std::string> suggest(EditedLine& line) const;
    void remember(const std::string& line);

    const std::filesystem::path m_file;
    const Suggest m_suggest;
    std::vector<std::string> m_history;
    std::string m_typed; // typed or pasted beyond the last line
    bool m_isPasting = false;
};

} // namespace sg::cli
