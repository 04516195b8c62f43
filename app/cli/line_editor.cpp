#include "app/cli/line_editor.h"

#include "core/base/printable.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>

namespace sg::cli {
namespace {

constexpr std::size_t kMostHistory = 1000;
constexpr std::size_t kLongestSequence = 8;

bool continuesCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The terminal gives each key at once and unseen while this lives.
class RawTerminal {
public:
    RawTerminal()
    {
        if (::tcgetattr(STDIN_FILENO, &m_before) != 0)
            return;
        termios raw = m_before;
        raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
        raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        m_isRaw = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
    }
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;
    ~RawTerminal()
    {
        if (m_isRaw)
            ::tcsetattr(STDIN_FILENO, TCSADRAIN, &m_before);
    }

private:
    termios m_before{};
    bool m_isRaw = false;
};

void show(const std::string& prompt, const EditedLine& line)
{
    std::string out = "\r" + prompt + printableText(line.text()) + "\x1b[K";
    if (const std::size_t back = line.charactersBehindCursor(); back > 0)
        out += "\x1b[" + std::to_string(back) + "D";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
}

} // namespace

EditedLine::Done EditedLine::take(const std::string& bytes, std::size_t& used)
{
    for (used = 0; used < bytes.size();) {
        const char byte = bytes[used++];
        if (!m_pending.empty()) {
            m_pending += byte;
            const bool isSequence =
                m_pending.size() == 2 ? byte != '[' && byte != 'O' : byte >= '@' && byte <= '~';
            if (isSequence || m_pending.size() >= kLongestSequence) {
                sequence(m_pending);
                m_pending.clear();
            }
            continue;
        }
        if (const Done done = key(static_cast<unsigned char>(byte)); done != Done::No)
            return done;
    }
    return Done::No;
}

EditedLine::Done EditedLine::key(unsigned char byte)
{
    constexpr auto control = [](char letter) { return static_cast<unsigned char>(letter & 0x1F); };
    switch (byte) {
    case '\r':
    case '\n': return Done::Entered;
    case control('C'): return Done::Interrupted;
    case control('D'):
        if (m_text.empty())
            return Done::Ended;
        sequence("\x1b[3~");
        return Done::No;
    case control('A'): m_cursor = 0; return Done::No;
    case control('E'): m_cursor = m_text.size(); return Done::No;
    case control('B'): left(); return Done::No;
    case control('F'): right(); return Done::No;
    case control('P'): recall(true); return Done::No;
    case control('N'): recall(false); return Done::No;
    case control('K'): erase(m_cursor, m_text.size()); return Done::No;
    case control('U'): erase(0, m_cursor); return Done::No;
    case control('W'): wordLeft(); return Done::No;
    case control('H'):
    case 0x7F: {
        const std::size_t to = m_cursor;
        left();
        erase(m_cursor, to);
        return Done::No;
    }
    case 0x1B: m_pending = "\x1b"; return Done::No;
    case '\t': insert("    "); return Done::No;
    default: break;
    }
    if (byte >= 0x20)
        insert(std::string(1, static_cast<char>(byte)));
    return Done::No;
}

void EditedLine::sequence(const std::string& keys)
{
    const std::string name = keys.substr(1);
    if (name == "[D" || name == "OD")
        left();
    else if (name == "[C" || name == "OC")
        right();
    else if (name == "[A" || name == "OA")
        recall(true);
    else if (name == "[B" || name == "OB")
        recall(false);
    else if (name == "[H" || name == "OH" || name == "[1~")
        m_cursor = 0;
    else if (name == "[F" || name == "OF" || name == "[4~")
        m_cursor = m_text.size();
    else if (name == "[3~") {
        const std::size_t from = m_cursor;
        right();
        const std::size_t to = m_cursor;
        m_cursor = from;
        erase(from, to);
    }
}

void EditedLine::insert(const std::string& bytes)
{
    m_text.insert(m_cursor, bytes);
    m_cursor += bytes.size();
}

void EditedLine::left()
{
    if (m_cursor == 0)
        return;
    do
        --m_cursor;
    while (m_cursor > 0 && continuesCharacter(m_text[m_cursor]));
}

void EditedLine::right()
{
    if (m_cursor == m_text.size())
        return;
    do
        ++m_cursor;
    while (m_cursor < m_text.size() && continuesCharacter(m_text[m_cursor]));
}

void EditedLine::erase(std::size_t from, std::size_t to)
{
    m_text.erase(from, to - from);
    m_cursor = from;
}

void EditedLine::wordLeft()
{
    const std::size_t to = m_cursor;
    std::size_t from = to;
    while (from > 0 && m_text[from - 1] == ' ')
        --from;
    while (from > 0 && m_text[from - 1] != ' ')
        --from;
    erase(from, to);
}

void EditedLine::recall(bool older)
{
    if (older ? m_recalled == 0 : m_recalled == m_history.size())
        return;
    if (m_recalled == m_history.size())
        m_draft = m_text;
    m_recalled = older ? m_recalled - 1 : m_recalled + 1;
    m_text = m_recalled == m_history.size() ? m_draft : m_history[m_recalled];
    m_cursor = m_text.size();
}

std::size_t EditedLine::charactersBehindCursor() const
{
    return static_cast<std::size_t>(std::count_if(m_text.begin() + static_cast<std::ptrdiff_t>(m_cursor),
                                                  m_text.end(),
                                                  [](char byte) { return !continuesCharacter(byte); }));
}

LineEditor::Line LineEditor::readTerminal(const std::string& prompt)
{
    const RawTerminal raw;
    EditedLine line(m_history);
    show(prompt, line);
    while (true) {
        std::size_t used = 0;
        const EditedLine::Done done = line.take(m_typed, used);
        m_typed.erase(0, used);
        show(prompt, line);
        if (done != EditedLine::Done::No) {
            std::fputs("\r\n", stdout);
            return { done, line.text() };
        }
        char buffer[4096];
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return { EditedLine::Done::Ended, {} };
        m_typed.assign(buffer, static_cast<std::size_t>(got));
    }
}

LineEditor::Line LineEditor::read(const std::string& prompt)
{
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
        std::string text;
        if (!std::getline(std::cin, text))
            return { EditedLine::Done::Ended, {} };
        return { EditedLine::Done::Entered, std::move(text) };
    }
    Line line = readTerminal(prompt);
    const bool isNew = m_history.empty() || m_history.back() != line.text;
    if (line.done == EditedLine::Done::Entered && !line.text.empty() && isNew)
        m_history.push_back(line.text);
    if (m_history.size() > kMostHistory)
        m_history.erase(m_history.begin());
    return line;
}

} // namespace sg::cli
