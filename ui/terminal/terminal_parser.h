#pragma once

#include <QByteArray>

#include <array>
#include <cstdint>

namespace sg::ui {

// A control sequence: ESC [ mark numbers final.
struct TerminalSequence {
    static constexpr int kMostNumbers = 16;
    static constexpr int kLargest = 9999; // larger ones are taken for it: no count keeps the window busy
    char mark = 0; // '?', '>', '=' or none
    bool isStrange = false; // with bytes between that we have no use for
    std::array<int, kMostNumbers> numbers{}; // 0: not given
    int count = 0;
    char final = 0;
    [[nodiscard]] int at(int place, int fallback) const
    {
        return place < count && numbers.at(static_cast<std::size_t>(place)) > 0
            ? numbers.at(static_cast<std::size_t>(place))
            : fallback;
    }
};

// Cuts what a shell writes into letters and controls, as ECMA-48 says and xterm does it. The bytes are
// hostile: every state ends, nothing is kept but the sequence being read. One thread.
class TerminalParser {
public:
    class Sink {
    public:
        virtual ~Sink() = default;
        virtual void letter(char32_t letter) = 0; // U+FFFD for what is no UTF-8
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
    char32_t m_letter = 0; // of a letter in several bytes
    char32_t m_least = 0;
    int m_missing = 0;
};

} // namespace sg::ui
