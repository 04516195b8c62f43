#pragma once

#include "app/cli/edited_line.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sg::cli {

// What may stand for the text from `start` (bytes of the line) to the cursor.
struct Suggestions {
    std::size_t start = 0;
    std::vector<std::string> texts;
};

// Reads lines from the terminal with editing (arrows, Home, End, Ctrl+A E B F K U W L P N, Ctrl and Alt with
// arrows), completion by Tab and history, or from a pipe as they are. One thread.
class LineEditor {
public:
    using Suggest = std::function<Suggestions(const std::string& line, std::size_t cursor)>;

    struct Line {
        // Entered; Interrupted: Ctrl+C; Ended: Ctrl+D, or the end of the input
        EditedLine::Done done = EditedLine::Done::Entered;
        std::string text;
        bool isPasted = false; // entered within a paste, more of which follows
    };

    // `history`: a file that keeps the last thousand lines for the next time; empty: they are forgotten.
    explicit LineEditor(std::filesystem::path history = {}, Suggest suggest = {});

    Line read(const std::string& prompt);

private:
    Line readTerminal(const std::string& prompt);
    std::vector<std::string> suggest(EditedLine& line) const;
    void remember(const std::string& line);

    const std::filesystem::path m_file;
    const Suggest m_suggest;
    std::vector<std::string> m_history;
    std::string m_typed; // beyond the last line: a paste
    bool m_isPasting = false;
};

} // namespace sg::cli
