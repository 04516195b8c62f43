#include "app/cli/edited_line.h"

#include <algorithm>

namespace sg::cli {
namespace {

constexpr std::size_t kLongestSequence = 8;

bool continuesCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
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
        const auto letter = static_cast<unsigned char>(byte);
        if (const Done done = m_isPasting ? pasted(letter) : key(letter); done != Done::No)
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
    case control('W'): erase(wordBefore(), m_cursor); return Done::No;
    case control('L'): return Done::Clearing;
    case control('H'):
    case 0x7F: {
        const std::size_t to = m_cursor;
        left();
        erase(m_cursor, to);
        return Done::No;
    }
    case 0x1B: m_pending = "\x1b"; return Done::No;
    case '\t':
        if (!standsBehindBlanksAlone())
            return Done::Completing;
        insert("    ");
        return Done::No;
    default: break;
    }
    if (byte >= 0x20)
        insert(std::string(1, static_cast<char>(byte)));
    return Done::No;
}

// In a paste only the end of a line acts as a key.
EditedLine::Done EditedLine::pasted(unsigned char byte)
{
    if (byte == '\r' || byte == '\n')
        return Done::Entered;
    if (byte == 0x1B)
        m_pending = "\x1b";
    else if (byte == '\t')
        insert("    ");
    else if (byte >= 0x20 && byte != 0x7F)
        insert(std::string(1, static_cast<char>(byte)));
    return Done::No;
}

void EditedLine::sequence(const std::string& keys)
{
    const std::string name = keys.substr(1);
    if (name == "[200~")
        m_isPasting = true;
    else if (name == "[201~")
        m_isPasting = false;
    else if (m_isPasting)
        return;
    else if (name == "[D" || name == "OD")
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
    else if (name == "b" || name == "[1;5D")
        m_cursor = wordBefore();
    else if (name == "f" || name == "[1;5C")
        m_cursor = wordBehind();
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

std::size_t EditedLine::wordBefore() const
{
    std::size_t from = m_cursor;
    while (from > 0 && m_text[from - 1] == ' ')
        --from;
    while (from > 0 && m_text[from - 1] != ' ')
        --from;
    return from;
}

std::size_t EditedLine::wordBehind() const
{
    std::size_t to = m_cursor;
    while (to < m_text.size() && m_text[to] == ' ')
        ++to;
    while (to < m_text.size() && m_text[to] != ' ')
        ++to;
    return to;
}

bool EditedLine::standsBehindBlanksAlone() const
{
    return m_text.find_first_not_of(' ') >= m_cursor;
}

void EditedLine::complete(std::size_t from, const std::string& text)
{
    erase(std::min(from, m_cursor), m_cursor);
    insert(text);
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

} // namespace sg::cli
