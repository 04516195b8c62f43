#include "app/cli/line_editor.h"

#include "app/cli/output.h"
#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/printable.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

namespace sg::cli {
namespace {

constexpr const char* kMarksPastes = "\x1b[?2004h";
constexpr const char* kMarksNoPastes = "\x1b[?2004l";
constexpr std::size_t kMostHistory = 1000;
constexpr std::size_t kMostHistoryBytes = 4U << 20;
constexpr std::size_t kMostShown = 100; // suggestions

std::size_t terminalColumns()
{
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void put(const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

// Puts the terminal into raw mode while it lives, and makes it mark pasted text until told otherwise.
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
        put(kMarksPastes);
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

// The line as shown on the terminal, over as many rows as it takes.
class ShownLine {
public:
    explicit ShownLine(std::string prompt)
        : m_prompt(std::move(prompt))
    {
    }

    void show(const EditedLine& line)
    {
        const std::size_t width = terminalColumns();
        const std::string text = printableText(line.text());
        const std::size_t end = columnsOf(m_prompt + text);
        const std::size_t at = columnsOf(m_prompt + printableText(line.text().substr(0, line.cursor())));
        std::string out = up(m_row) + "\r\x1b[J" + m_prompt + text;
        if (end > 0 && end % width == 0)
            out += "\r\n"; // the cursor stays in the last column until something is written
        out += up(end / width - at / width) + '\r';
        if (at % width > 0)
            out += "\x1b[" + std::to_string(at % width) + 'C';
        m_row = at / width;
        m_below = end / width - m_row;
        put(out);
    }
    // Moves the cursor below the line, for further output.
    void leave()
    {
        put((m_below > 0 ? "\x1b[" + std::to_string(m_below) + 'B' : std::string()) + "\r\n");
        m_row = m_below = 0;
    }
    void clearScreen()
    {
        put("\x1b[H\x1b[2J");
        m_row = 0;
    }

private:
    static std::string up(std::size_t rows)
    {
        return rows > 0 ? "\x1b[" + std::to_string(rows) + 'A' : std::string();
    }

    const std::string m_prompt;
    std::size_t m_row = 0; // row of the cursor, counted from the prompt's
    std::size_t m_below = 0; // rows of the line below the cursor's
};

std::string commonStart(const std::vector<std::string>& texts)
{
    std::string common = texts.front();
    for (const std::string& text : texts)
        common.resize(static_cast<std::size_t>(std::ranges::mismatch(common, text).in1 - common.begin()));
    while (!common.empty() && (static_cast<unsigned char>(common.back()) & 0x80U) != 0)
        common.pop_back(); // never half a character
    return common;
}

// Prints texts in columns, as wide as the terminal.
void showAll(const std::vector<std::string>& texts)
{
    const std::size_t shown = std::min(texts.size(), kMostShown);
    std::size_t widest = 1;
    for (std::size_t i = 0; i < shown; ++i)
        widest = std::max(widest, columnsOf(printableText(texts[i])) + 2);
    const std::size_t perRow = std::max<std::size_t>(terminalColumns() / widest, 1);
    std::string out;
    for (std::size_t i = 0; i < shown; ++i)
        out +=
            padded(printableText(texts[i]), widest) + ((i + 1) % perRow == 0 || i + 1 == shown ? "\r\n" : "");
    if (texts.size() > shown)
        out += "and " + std::to_string(texts.size() - shown) + " more\r\n";
    put(out);
}

std::vector<std::string> readHistory(const std::filesystem::path& file)
{
    std::vector<std::string> lines;
    const auto read = readFile(file, kMostHistoryBytes);
    const std::string text = read ? *read : std::string();
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        if (end > from)
            lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    if (lines.size() > kMostHistory)
        lines.erase(lines.begin(), lines.end() - kMostHistory);
    return lines;
}

} // namespace

LineEditor::LineEditor(std::filesystem::path history, Suggest suggest)
    : m_file(std::move(history))
    , m_suggest(std::move(suggest))
    , m_history(readHistory(m_file))
{
}

// A history file that cannot be written is ignored.
void LineEditor::remember(const std::string& line)
{
    if (line.empty() || (!m_history.empty() && m_history.back() == line))
        return;
    m_history.push_back(line);
    if (m_history.size() > kMostHistory)
        m_history.erase(m_history.begin());
    if (m_file.empty())
        return;
    // A file that is too long is rewritten with the newest lines.
    std::error_code failed;
    const bool isTooLong = std::filesystem::file_size(m_file, failed) > kMostHistoryBytes / 2 && !failed;
    const Fd file(::open(m_file.c_str(),
                         O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isTooLong ? O_TRUNC : O_APPEND),
                         0600));
    std::string text;
    for (const std::string& each : isTooLong ? m_history : std::vector<std::string>{ line })
        text += each + '\n';
    if (file.isOpen()) {
        [[maybe_unused]] const ssize_t written = ::write(file.get(), text.data(), text.size());
    }
}

// Suggestions to choose from; empty where the line was completed, or cannot be.
std::vector<std::string> LineEditor::suggest(EditedLine& line) const
{
    Suggestions found = m_suggest ? m_suggest(line.text(), line.cursor()) : Suggestions();
    if (found.texts.empty() || found.start > line.cursor())
        return {};
    const std::string common = commonStart(found.texts);
    if (found.texts.size() > 1 && common.size() <= line.cursor() - found.start)
        return std::move(found.texts);
    line.complete(found.start, found.texts.size() == 1 ? found.texts.front() : common);
    return {};
}

LineEditor::Line LineEditor::readTerminal(const std::string& prompt)
{
    const RawTerminal raw;
    EditedLine line(m_history, m_isPasting);
    ShownLine shown(prompt);
    shown.show(line);
    while (true) {
        std::size_t used = 0;
        const EditedLine::Done done = line.take(m_typed, used);
        m_typed.erase(0, used);
        m_isPasting = line.isPasting();
        switch (done) {
        case EditedLine::Done::Completing:
            if (const auto choice = suggest(line); !choice.empty()) {
                shown.leave();
                showAll(choice);
            }
            break;
        case EditedLine::Done::Clearing: shown.clearScreen(); break;
        case EditedLine::Done::No: break;
        case EditedLine::Done::Entered:
        case EditedLine::Done::Interrupted:
        case EditedLine::Done::Ended:
            shown.show(line);
            put(kMarksNoPastes);
            shown.leave();
            return { done, line.text(), m_isPasting };
        }
        shown.show(line);
        if (done != EditedLine::Done::No)
            continue;
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
    if (line.done == EditedLine::Done::Entered)
        remember(line.text);
    return line;
}

} // namespace sg::cli
