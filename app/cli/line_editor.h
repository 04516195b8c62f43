#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sg::cli {

// One line of text being edited, and the lines before it; no terminal. Letters are UTF-8 characters: the
// cursor never stands within one.
class EditedLine {
public:
    enum class Done { No, Entered, Interrupted, Ended };

    explicit EditedLine(const std::vector<std::string>& history)
        : m_history(history)
        , m_recalled(history.size())
    {
    }

    // Bytes as a terminal in raw mode sends them; a sequence may come in pieces. Stops behind what ended the
    // line and tells by `used` how far it came.
    Done take(const std::string& bytes, std::size_t& used);

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::size_t cursor() const { return m_cursor; } // bytes
    // Characters, as a terminal counts them nearly always, to the right of the cursor.
    [[nodiscard]] std::size_t charactersBehindCursor() const;

private:
    Done key(unsigned char byte);
    void sequence(const std::string& keys);
    void insert(const std::string& bytes);
    void left();
    void right();
    void erase(std::size_t from, std::size_t to);
    void wordLeft();
    void recall(bool older);

    const std::vector<std::string>& m_history;
    std::size_t m_recalled; // index into history; its size: the new line
    std::string m_draft; // the new line while an older one is shown
    std::string m_text;
    std::size_t m_cursor = 0;
    std::string m_pending; // of a key that sends several bytes
};

// Reads lines from the terminal with editing (arrows, Home, End, Ctrl+A E B F K U W L, history), or from a
// pipe as they are.
class LineEditor {
public:
    struct Line {
        EditedLine::Done done =
            EditedLine::Done::Entered; // Interrupted: Ctrl+C; Ended: Ctrl+D, or the end of the input
        std::string text;
    };
    Line read(const std::string& prompt);

private:
    Line readTerminal(const std::string& prompt);
    std::vector<std::string> m_history;
    std::string m_typed; // beyond the last line: a paste
};

} // namespace sg::cli
