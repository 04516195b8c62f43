#pragma once

#include <QByteArray>

#include <array>
#include <cstdint>

namespace sg::ui {

// A control sequence: ESC [ mark numbers final.
struct TerminalSequence {
    static constexpr int kMostNumbers = 16;
    static constexpr int kLargest = 9999; // limit of numbers, so that no count keeps the window busy
    char mark = 0; // '?', '>', '=' or none
    bool isStrange = false; // contains intermediate bytes that are not supported
    std::array<int, kMostNumbers> numbers{}; // 0 if omitted
    int count = 0;
    char final = 0;
    [[nodiscard]] int at(int place, int fallback) const
    {
        return place < count && numbers.at(static_cast<std::size_t>(place)) > 0
            ? numbers.at(static_cast<std::size_t>(place))
            : fallback;
    }
};

// Splits a shell's output into characters and control sequences, after ECMA-48 and xterm. The bytes are
// hostile: every state ends, and only the present sequence is stored. One thread.
class TerminalParser {
public:
    class Sink {
    public:
        virtual ~Sink() = default;
        virtual void letter(char32_t letter) = 0; // U+FFFD for invalid UTF-8
        virtual void control(char code) = 0; // below 0x20
        virtual void escape(char between, char final) = 0; // ESC 7, ESC ( 0
        virtual void sequence(const TerminalSequence& sequence) = 0;
    };
    explicit TerminalParser(Sink& sink)
        : m_sink(sink)
    {
    }
    void feed(const QByteArray& bytes);

private:
    enum class State { Text, Escape, Sequence, Words, WordsEscape };
    void take(unsigned char byte);
    void takeText(unsigned char byte);
    void takeEscape(unsigned char byte);
    void takeSequence(unsigned char byte);

    Sink& m_sink;
    State m_state = State::Text;
    char m_between = 0;
    TerminalSequence m_sequence;
    char32_t m_letter = 0; // decoded part of a multi-byte character
    char32_t m_least = 0;
    int m_missing = 0;
};

} // namespace sg::ui
