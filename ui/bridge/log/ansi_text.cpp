#include "ui/bridge/log/ansi_text.h"

#include "core/base/printable.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>
#include <charconv>

namespace sg::ui {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kLongestSequence = 128; // longer runs are taken as text

// Length of an escape sequence such as "\x1b[31;1m" at the front of `rest`, 0 if none begins there.
// `parameters` gets those of a colour.
std::size_t sequenceLength(std::string_view rest, std::string_view& parameters)
{
    if (rest.size() < 2)
        return rest.size();
    const std::string_view room = rest.substr(0, kLongestSequence);
    if (room[1] == '[') {
        for (std::size_t i = 2; i < room.size(); ++i) {
            const char c = room[i];
            if (c >= 0x40 && c <= 0x7e) {
                if (c == 'm')
                    parameters = room.substr(2, i - 2);
                return i + 1;
            }
            if (c < 0x20 || c > 0x3f)
                return 0;
        }
        return 0;
    }
    if (room[1] == ']' || room[1] == 'P' || room[1] == '_' || room[1] == '^') { // until BEL or ESC \ .
        for (std::size_t i = 2; i < rest.size(); ++i)
            if (rest[i] == '\a' || (rest[i] == '\\' && rest[i - 1] == kEscape))
                return i + 1;
        return rest.size();
    }
    return 2;
}

bool isPlain(const TextSpan& look)
{
    return look.ink == 0 && !look.isBold && !look.isFaint && !look.isItalic && !look.isUnderlined;
}

// The nearest of the 16 basic colours to one of the 256.
quint8 inkOf256(int number)
{
    if (number < 16)
        return static_cast<quint8>(number + 1);
    if (number >= 232)
        return number < 244 ? 9 : 8;
    const int red = (number - 16) / 36;
    const int green = (number - 16) / 6 % 6;
    const int blue = (number - 16) % 6;
    return static_cast<quint8>(1 + (red >= 3 ? 1 : 0) + (green >= 3 ? 2 : 0) + (blue >= 3 ? 4 : 0));
}

} // namespace

void AnsiText::apply(std::string_view parameters)
{
    std::vector<int> numbers;
    while (true) {
        const std::size_t end = std::min(parameters.find_first_of(";:"), parameters.size());
        int number = 0;
        std::from_chars(parameters.data(), parameters.data() + end, number);
        numbers.push_back(number);
        if (end == parameters.size())
            break;
        parameters.remove_prefix(end + 1);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const int code = numbers[i];
        if (code == 0)
            m_now = {};
        else if (code == 1)
            m_now.isBold = true;
        else if (code == 2)
            m_now.isFaint = true;
        else if (code == 3)
            m_now.isItalic = true;
        else if (code == 4)
            m_now.isUnderlined = true;
        else if (code == 22)
            m_now.isBold = m_now.isFaint = false;
        else if (code == 23)
            m_now.isItalic = false;
        else if (code == 24)
            m_now.isUnderlined = false;
        else if (code >= 30 && code <= 37)
            m_now.ink = static_cast<quint8>(code - 29);
        else if (code >= 90 && code <= 97)
            m_now.ink = static_cast<quint8>(code - 81);
        else if (code == 39)
            m_now.ink = 0;
        else if ((code == 38 || code == 48) && i + 1 < numbers.size()) {
            const bool isIndexed = numbers[i + 1] == 5;
            if (code == 38 && isIndexed && i + 2 < numbers.size())
                m_now.ink = inkOf256(std::clamp(numbers[i + 2], 0, 255));
            i += isIndexed ? 2 : 4; // colours by red, green and blue are ignored
        }
    }
}

void AnsiText::add(Line& line, std::string_view run) const
{
    if (run.empty())
        return;
    const QString shown = sg::ui::text(printableText(run));
    if (!isPlain(m_now)) {
        TextSpan span = m_now;
        span.start = static_cast<int>(line.text.size());
        span.length = static_cast<int>(shown.size());
        line.spans.push_back(span);
    }
    line.text += shown;
}

AnsiText::Line AnsiText::take(std::string_view line)
{
    Line made;
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.find(kEscape) == std::string_view::npos && line.find('\r') == std::string_view::npos) {
        add(made, line);
        return made;
    }
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] == '\r') {
            made = {}; // a progress bar overwrites its line, so only the last part counts
            begin = ++i;
            continue;
        }
        std::string_view parameters("none");
        const std::size_t length = line[i] == kEscape ? sequenceLength(line.substr(i), parameters) : 0;
        if (length == 0) {
            ++i;
            continue;
        }
        add(made, line.substr(begin, i - begin));
        if (parameters != "none")
            apply(parameters);
        i += length;
        begin = i;
    }
    add(made, line.substr(std::min(begin, line.size())));
    return made;
}

} // namespace sg::ui
