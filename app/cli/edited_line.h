#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sg::cli {

// EditedLine is one line of text being edited, with the lines before it; it does not use the terminal.
// Letters are UTF-8 characters: the cursor is never within one.
class EditedLine {
public:
    enum class Done {
        No,
        Entered,
        Interrupted,
        Ended,
        Completing, // Tab after text that may be completed; the line goes on
        Clearing, // Ctrl+L; the line goes on
    };

    // `isPasting`: the previous line was entered within a paste, in which this one begins.
    explicit EditedLine(const std::vector<std::string>& history, bool isPasting = false)
        : m_history(history)
        , m_recalled(history.size())
        , m_isPasting(isPasting)
    {
    }

    // Takes bytes of a terminal in raw mode; a sequence may come in pieces. Stops after the byte that ends
    // the line; `used` tells how many bytes were taken.
    Done take(const std::string& bytes, std::size_t& used);

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::size_t cursor() const { return m_cursor; } // bytes
    // True between the marks that a terminal sets around pasted text ("bracketed paste").
    [[nodiscard]] bool isPasting() const { return m_isPasting; }

    // Replaces the text from `from` to the cursor.
    void complete(std::size_t from, const std::string& text);

private:
    Done key(unsigned char byte);
    Done pasted(unsigned char byte);
    void sequence(const std::string& keys);
    void insert(const std::string& bytes);
    void left();
    void right();
    void erase(std::size_t from, std::size_t to);
    [[nodiscard]] std::size_t wordBefore() const;
    [[nodiscard]] std::size_t wordBehind() const;
    [[nodiscard]] bool standsBehindBlanksAlone() const;
    void recall(bool older);

    const std::vector<std::string>& m_history;
    std::size_t m_recalled; // index into history; its size: the new line
    std::string m_draft; // the new line while an older one is shown
    std::string m_text;
    std::size_t m_cursor = 0;
    std::string m_pending; // bytes of an incomplete key sequence
    bool m_isPasting;
};

} // namespace sg::cli
