#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace sg {
namespace {

JsonPosition positionAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    return { line + 1, before.size() - (before.rfind('\n') + 1) + 1 };
}

// The parser reports values in order, but not their positions, so this cursor walks the text along with it.
class TokenCursor {
public:
    explicit TokenCursor(std::string_view text)
        : m_text(text)
    {
    }

    // Goes to the next token that is no separator. It is called once for each token that the parser reports.
    JsonPosition next()
    {
        skipTo(m_text.find_first_not_of(" \t\r\n,:", m_at));
        const JsonPosition found{ m_line, m_at - m_lineStart + 1 };
        skipTo(endOfToken());
        return found;
    }

private:
    void skipTo(std::size_t offset)
    {
        for (offset = std::min(offset, m_text.size()); m_at < offset; ++m_at) {
            if (m_text[m_at] == '\n') {
                ++m_line;
                m_lineStart = m_at + 1;
            }
        }
    }

    [[nodiscard]] std::size_t endOfToken() const
    {
        if (m_at >= m_text.size())
            return m_at;
        if (m_text[m_at] == '"') {
            std::size_t end = m_at + 1;
            while (end < m_text.size() && m_text[end] != '"')
                end += m_text[end] == '\\' ? 2 : 1;
            return end + 1;
        }
        if (std::string_view("{}[]").find(m_text[m_at]) != std::string_view::npos)
            return m_at + 1;
        return m_text.find_first_of(" \t\r\n,:{}[]\"", m_at);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
    std::size_t m_lineStart = 0;
};

// A shortened error of the parser, whose text is like "[json.exception.parse_error.101] parse error at line
// 1, column 6: syntax error while parsing object separator - unexpected number literal; expected ':'", and
// how many bytes before the parser's position the cause begins.
struct Problem {
    std::string text;
    std::size_t bytesBack = 1;
};

// Counts the token's bytes in the text: the parser shows control characters as <U+XXXX>.
std::size_t rawLength(std::string_view shown)
{
    std::size_t length = 0;
    for (std::size_t i = 0; i < shown.size(); ++length)
        i += shown.substr(i).starts_with("<U+00") ? 8 : 1;
    return length;
}

std::size_t lengthOfToken(std::string_view kind, std::string_view token)
{
    if (kind == "string literal" || kind == "number literal")
        return rawLength(token);
    if (kind == "true literal" || kind == "null literal")
        return 4;
    return kind == "false literal" ? 5 : 1;
}

Problem problemOf(std::string message, std::string_view token)
{
    constexpr std::string_view kUnexpected = "unexpected ";
    constexpr std::string_view kExpected = "; expected ";
    if (const std::size_t dash = message.find(" - "); dash != std::string::npos)
        message.erase(0, dash + 3);
    else if (const std::size_t bracket = message.find("] "); bracket != std::string::npos)
        return { message.substr(bracket + 2), rawLength(token) }; // a number out of range
    if (!message.starts_with(kUnexpected))
        return { message }; // inside a token: the parser stopped after the offending byte
    const std::size_t split = message.find(kExpected);
    const std::string found = message.substr(kUnexpected.size(), split - kUnexpected.size());
    const std::size_t length = lengthOfToken(found, token);
    if (split == std::string::npos)
        return { message, length };
    return { "expected " + message.substr(split + kExpected.size()) + ", found " + found, length };
}

class Builder {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    // With `positions` it notes the position of each value.
    Builder(std::string_view text, const JsonLimits& limits,
            std::map<std::string, JsonPosition, std::less<>>* positions)
        : m_text(text)
        , m_limits(limits)
        , m_positions(positions)
        , m_cursor(text)
    {
    }

    // NOLINTBEGIN(readability-identifier-naming): the names that nlohmann's SAX interface calls
    bool null() { return add(Value()); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(std::int64_t{ value }); }
    bool number_unsigned(number_unsigned_t value) { return add(std::size_t{ value }); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; } // does not occur in JSON text

    bool start_object(std::size_t) { return open(Value::map()); }
    bool start_array(std::size_t) { return open(Value::list()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(string_t& key)
    {
        Level& level = m_levels.back();
        if (m_positions)
            m_tokenAt = m_cursor.next();
        if (level.map.contains(key)) {
            m_problem = "the key " + toJson(Value(key)) + " appears twice";
            return false;
        }
        level.key = Value(std::move(key));
        return true;
    }

    bool parse_error(std::size_t offset, const std::string& token, const nlohmann::json::exception& exception)
    {
        Problem problem = problemOf(exception.what(), token);
        m_problem = std::move(problem.text);
        m_problemAt = positionAt(m_text, offset - std::min(offset, problem.bytesBack));
        return false;
    }
    // NOLINTEND(readability-identifier-naming)

    [[nodiscard]] const std::string& problem() const { return m_problem; }
    // nullopt if positions are not tracked and the parser did not tell.
    [[nodiscard]] std::optional<JsonPosition> problemAt() const
    {
        return m_problemAt || !m_positions ? m_problemAt : m_tokenAt;
    }
    Value take() { return std::move(m_root); }

private:
    struct Level {
        bool isMap = false;
        ValueList list;
        ValueMap map;
        Value key; // of the next entry
        std::size_t pathSize = 0; // bytes of m_path that name this container
    };

    void notePosition()
    {
        if (!m_positions)
            return;
        m_tokenAt = m_cursor.next();
        if (!m_levels.empty()) {
            const Level& level = m_levels.back();
            m_path.resize(level.pathSize);
            m_path += '/';
            m_path +=
                level.isMap ? jsonPointerToken(level.key.asString()) : std::to_string(level.list.size());
        }
        m_positions->emplace(m_path, m_tokenAt);
    }

    bool add(Value value)
    {
        notePosition();
        place(std::move(value));
        return true;
    }

    void place(Value value)
    {
        if (m_levels.empty()) {
            m_root = std::move(value);
            return;
        }
        Level& level = m_levels.back();
        if (level.isMap)
            level.map.add(std::move(level.key), std::move(value)); // key() has seen that it is new
        else
            level.list.push_back(std::move(value));
    }

    bool open(const Value& empty)
    {
        notePosition();
        if (m_levels.size() >= m_limits.depth) {
            m_problem = "more than " + std::to_string(m_limits.depth) + " levels of nesting";
            return false;
        }
        m_levels.emplace_back();
        m_levels.back().isMap = empty.isMap();
        m_levels.back().pathSize = m_path.size();
        return true;
    }

    bool close()
    {
        if (m_positions)
            m_cursor.next();
        Level level = std::move(m_levels.back());
        m_levels.pop_back();
        place(level.isMap ? Value(std::move(level.map)) : Value(std::move(level.list)));
        return true;
    }

    std::string_view m_text;
    const JsonLimits& m_limits;
    std::map<std::string, JsonPosition, std::less<>>* m_positions;
    TokenCursor m_cursor;
    JsonPosition m_tokenAt;
    std::string m_path;
    std::vector<Level> m_levels;
    Value m_root;
    std::string m_problem;
    std::optional<JsonPosition> m_problemAt;
};

Result<Value> parse(std::string_view text, const JsonLimits& limits,
                    std::map<std::string, JsonPosition, std::less<>>* positions)
{
    if (text.size() > limits.bytes)
        return Error{ Errc::LimitExceeded,
                      "JSON text of " + std::to_string(text.size()) + " bytes; at most "
                          + std::to_string(limits.bytes) + " are accepted" };
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    Builder builder(text, limits, positions);
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
        return builder.take();
    const auto at = builder.problemAt();
    if (!at) { // rare, so that the common case need not count lines
        std::map<std::string, JsonPosition, std::less<>> unused;
        return parse(text, limits, &unused);
    }
    return Error{ Errc::InvalidArgument,
                  "line " + std::to_string(at->line) + ", column " + std::to_string(at->column) + ": "
                      + builder.problem() };
}

} // namespace

Result<Value> parseJson(std::string_view text, const JsonLimits& limits)
{
    return parse(text, limits, nullptr);
}

Result<JsonSource> parseJsonSource(std::string_view text, const JsonLimits& limits)
{
    JsonSource source;
    auto value = parse(text, limits, &source.positions);
    if (!value)
        return std::move(value.error());
    source.value = std::move(*value);
    return source;
}

} // namespace sg
