#include "ui/terminal/terminal_parser.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr unsigned char kEscape = 0x1B;
constexpr unsigned char kCancel = 0x18;
constexpr unsigned char kSubstitute = 0x1A;
constexpr unsigned char kBell = 0x07;
constexpr unsigned char kDelete = 0x7F;

bool isSurrogate(char32_t letter)
{
    return letter >= 0xD800 && letter <= 0xDFFF;
}

} // namespace

void TerminalParser::feed(const QByteArray& bytes)
{
    for (const char byte : bytes)
        take(static_cast<unsigned char>(byte));
}

void TerminalParser::take(unsigned char byte)
{
    if (m_state == State::Words || m_state == State::WordsEscape) {
        // Titles, colours and links are skipped until BEL or ESC \.
        if (m_state == State::WordsEscape && byte != '\\') { // another sequence begins
            m_state = State::Escape;
            m_between = 0;
            takeEscape(byte);
            return;
        }
        const bool isOver = byte == kBell || byte == kCancel || byte == kSubstitute || byte == '\\';
        m_state = m_state == State::WordsEscape || (isOver && byte != '\\') ? State::Text
            : byte == kEscape                                               ? State::WordsEscape
                                                                            : State::Words;
        return;
    }
    if (byte == kCancel || byte == kSubstitute) {
        m_state = State::Text;
    } else if (byte == kEscape) {
        if (std::exchange(m_missing, 0) > 0)
            m_sink.letter(kReplacement);
        m_state = State::Escape;
        m_between = 0;
    } else if (m_state == State::Text) {
        takeText(byte);
    } else if (byte < 0x20) {
        m_sink.control(static_cast<char>(byte));
    } else if (m_state == State::Escape) {
        takeEscape(byte);
    } else {
        takeSequence(byte);
    }
}

void TerminalParser::takeText(unsigned char byte)
{
    if (m_missing > 0) {
        if ((byte & 0xC0U) == 0x80) {
            m_letter = (m_letter << 6U) | (byte & 0x3FU);
            if (--m_missing == 0)
                m_sink.letter(m_letter < m_least || m_letter > 0x10FFFF || isSurrogate(m_letter)
                                  ? kReplacement
                                  : m_letter);
            return;
        }
        m_missing = 0;
        m_sink.letter(kReplacement);
    }
    if (byte < 0x20)
        m_sink.control(static_cast<char>(byte));
    else if (byte < kDelete)
        m_sink.letter(byte);
    else if (byte >= 0xC2 && byte <= 0xF4) {
        m_missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
        m_letter = byte & (0x3FU >> static_cast<unsigned>(m_missing));
        m_least = m_missing == 1 ? 0x80 : m_missing == 2 ? 0x800 : 0x10000;
    } else if (byte != kDelete)
        m_sink.letter(kReplacement);
}

void TerminalParser::takeEscape(unsigned char byte)
{
    if (byte == '[' && m_between == 0) {
        m_sequence = {};
        m_state = State::Sequence;
    } else if ((byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') && m_between == 0) {
        m_state = State::Words;
    } else if (byte < 0x30) {
        m_between = static_cast<char>(byte);
    } else {
        m_state = State::Text;
        m_sink.escape(m_between, static_cast<char>(byte));
    }
}

void TerminalParser::takeSequence(unsigned char byte)
{
    TerminalSequence& sequence = m_sequence;
    if (byte >= '0' && byte <= '9') {
        sequence.count = std::max(sequence.count, 1);
        int& number = sequence.numbers.at(static_cast<std::size_t>(sequence.count - 1));
        number = std::min(number * 10 + (byte - '0'), TerminalSequence::kLargest);
    } else if (byte == ';' || byte == ':') {
        if (sequence.count < TerminalSequence::kMostNumbers)
            sequence.count = std::max(sequence.count, 1) + 1;
        sequence.count = std::min(sequence.count, TerminalSequence::kMostNumbers);
    } else if (byte >= '<' && byte <= '?') {
        sequence.mark = static_cast<char>(byte);
    } else if (byte < 0x30) {
        sequence.isStrange = true;
    } else {
        m_state = State::Text;
        sequence.final = static_cast<char>(byte);
        m_sink.sequence(sequence);
    }
}

} // namespace sg::ui
