#include "core/base/secret_forms.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace sg {
namespace {

using Forms = std::set<std::string>;

constexpr std::size_t kShortestForm = 6; // shorter forms occur in ordinary text
constexpr std::size_t kShortestLine = 16; // of base64, in characters
constexpr std::size_t kMostWrapped = 1024; // bytes; of a longer secret only its lines are forms
constexpr std::string_view kUpper = "0123456789ABCDEF";
constexpr std::string_view kLower = "0123456789abcdef";

std::string withOtherAlphabet(std::string digits)
{
    std::ranges::replace(digits, '+', '-');
    std::ranges::replace(digits, '/', '_');
    return digits;
}

// Returns `text` with `between` after the first `first` characters and then after every `line` more.
std::string wrapped(const std::string& text, std::size_t first, std::size_t line, const char* between)
{
    std::string out = text.substr(0, first);
    for (std::size_t at = first; at < text.size(); at += line)
        out += between + text.substr(at, line);
    return out;
}

// Adds the base64 of the secret alone: with and without padding, in one line or several.
void addBase64Alone(const std::string& secret, Forms& forms)
{
    const std::string whole = toBase64(secret);
    forms.insert({ whole, withOtherAlphabet(whole), whole.substr(0, whole.find('=')) });
    for (const std::size_t line : { 64U, 76U }) {
        if (whole.size() <= line)
            continue;
        for (const char* between : { "\n", "\r\n", "\\n" }) // the last as in Python's b'…'
            forms.insert(wrapped(whole, line, line, between));
        for (std::size_t at = 0; at < whole.size(); at += line) // each line may be printed alone
            if (whole.size() - at >= kShortestLine)
                forms.insert(whole.substr(at, line));
    }
}

// Adds the base64 digits that depend on the secret alone when `before` other bytes precede it. A line ends
// after whole groups of four digits; how many of these digits the first line has depends on those bytes.
void addBase64Within(const std::string& secret, std::size_t before, Forms& forms)
{
    const std::string all = toBase64(std::string(before, '\0') + secret);
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t end = (before + secret.size()) * 8 / 6;
    if (end <= first)
        return;
    const std::string digits = all.substr(first, end - first);
    forms.insert({ digits, withOtherAlphabet(digits) });
    if (secret.size() > kMostWrapped)
        return;
    for (const std::size_t line : { 64U, 76U })
        for (std::size_t cut = 4 - first; cut <= line && cut < digits.size(); cut += 4)
            for (const char* between : { "\n", "\r\n" })
                forms.insert(wrapped(digits, cut, line, between));
}

// Returns each byte as two digits, with `before` in front of it and `between` two of them.
std::string bytewise(const std::string& bytes, std::string_view digits, std::string_view before,
                     std::string_view between)
{
    std::string out;
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        if (!out.empty())
            out += between;
        out += before;
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

void addHex(const std::string& secret, Forms& forms)
{
    for (const std::string_view digits : { kUpper, kLower }) {
        for (const char* between : { "", " ", ":", "-" })
            forms.insert(bytewise(secret, digits, "", between));
        for (const char* before : { "%", "\\x" }) // every byte of it, also those that need no escape
            forms.insert(bytewise(secret, digits, before, ""));
    }
}

std::string percentForm(const std::string& secret, std::string_view safe, bool plus, std::string_view digits)
{
    std::string out;
    for (const char each : secret) {
        const auto byte = static_cast<unsigned char>(each);
        if ((byte < 128 && std::isalnum(byte) != 0) || safe.find(each) != std::string_view::npos) {
            out += each;
        } else if (plus && each == ' ') {
            out += '+';
        } else {
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        }
    }
    return out;
}

void addPercent(const std::string& secret, Forms& forms)
{
    constexpr std::array kSafe{
        std::string_view("-._~"), // RFC 3986
        std::string_view("-._~/"), // Python's quote()
        std::string_view("-._~!'()*"), // JavaScript's encodeURIComponent()
        std::string_view("-._~!'()*;,/?:@&=+$#"), // its encodeURI()
        std::string_view("-._*"), // forms
    };
    for (const std::string_view safe : kSafe)
        for (const bool plus : { false, true })
            for (const std::string_view digits : { kUpper, kLower })
                forms.insert(percentForm(secret, safe, plus, digits));
}

struct Escape {
    char letter;
    std::string_view written;
};

std::string escapedBy(const std::string& secret, const std::vector<Escape>& escapes)
{
    std::string out;
    for (const char each : secret) {
        const auto found = std::ranges::find(escapes, each, &Escape::letter);
        if (found == escapes.end())
            out += each;
        else
            out += found->written;
    }
    return out;
}

void addHtml(const std::string& secret, Forms& forms)
{
    struct Quotes {
        std::string_view twice;
        std::string_view once;
    };
    constexpr std::array kQuotes{ Quotes{ "\"", "'" },          Quotes{ "&quot;", "'" },
                                  Quotes{ "&quot;", "&#x27;" }, Quotes{ "&quot;", "&#39;" },
                                  Quotes{ "&quot;", "&apos;" }, Quotes{ "&#34;", "&#39;" } };
    for (const Quotes& quotes : kQuotes)
        forms.insert(escapedBy(secret,
                               { { '&', "&amp;" },
                                 { '<', "&lt;" },
                                 { '>', "&gt;" },
                                 { '"', quotes.twice },
                                 { '\'', quotes.once } }));
}

void addCode(std::uint32_t code, const char* start, int width, std::string_view digits, std::string& to)
{
    to += start;
    for (int shift = 4 * (width - 1); shift >= 0; shift -= 4)
        to += digits[(code >> static_cast<unsigned>(shift)) & 15U];
}

// Describes how one kind of writer escapes characters.
struct Writer {
    std::string_view escaped{}; // these get a backslash
    std::string_view coded{}; // these become \u00NN
    bool controls = false; // \n, \t and \r have names, other controls numbers
    bool codesBytes = false; // \xNN for each byte over 127
    bool codesCharacters = false; // all beyond ASCII by number
    bool json = true; // false: Python's \xNN, \uNNNN, \UNNNNNNNN
    std::string_view digits = kLower;
};

void writeCharacter(Utf8Char character, unsigned char byte, const Writer& writer, std::string& to)
{
    if (character.length == 0) // Python's surrogateescape writes an invalid byte like this
        return addCode(0xDC00U + byte, "\\u", 4, writer.digits, to);
    const std::uint32_t code = character.code;
    if (!writer.json && code < 0x100)
        return addCode(code, "\\x", 2, writer.digits, to);
    if (code < 0x10000)
        return addCode(code, "\\u", 4, writer.digits, to);
    if (!writer.json)
        return addCode(code, "\\U", 8, writer.digits, to);
    addCode(0xD800U + ((code - 0x10000U) >> 10U), "\\u", 4, writer.digits, to);
    addCode(0xDC00U + ((code - 0x10000U) & 0x3FFU), "\\u", 4, writer.digits, to);
}

void writeControl(unsigned char byte, const Writer& writer, std::string& to)
{
    constexpr std::string_view kNamed = "\n\r\t\b\f";
    constexpr std::string_view kLetters = "nrtbf";
    const std::size_t named = kNamed.find(static_cast<char>(byte));
    if (named != std::string_view::npos && (writer.json || named < 3)) {
        to += '\\';
        to += kLetters[named];
    } else {
        addCode(byte, writer.json ? "\\u" : "\\x", writer.json ? 4 : 2, writer.digits, to);
    }
}

std::string writtenBy(const Writer& writer, const std::string& secret)
{
    std::string out;
    for (std::size_t at = 0; at < secret.size();) {
        const auto byte = static_cast<unsigned char>(secret[at]);
        const Utf8Char character = firstUtf8Char(std::string_view(secret).substr(at));
        const bool isCharacter = byte >= 128 && writer.codesCharacters && !writer.codesBytes;
        if (isCharacter)
            writeCharacter(character, byte, writer, out);
        else if (byte >= 128 && writer.codesBytes)
            addCode(byte, "\\x", 2, writer.digits, out);
        else if (writer.controls && (byte < 32 || (byte == 127 && (!writer.json || writer.codesCharacters))))
            writeControl(byte, writer, out);
        else if (writer.coded.find(secret[at]) != std::string_view::npos)
            addCode(byte, "\\u", 4, writer.digits, out);
        else
            (writer.escaped.find(secret[at]) == std::string_view::npos ? out : out += '\\') += secret[at];
        at += isCharacter ? std::max<std::size_t>(1, character.length) : 1;
    }
    return out;
}

// Returns the numbers of the characters; an invalid byte's is the one that Python's surrogateescape gives it.
std::vector<std::uint32_t> codesOf(const std::string& text)
{
    std::vector<std::uint32_t> codes;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Char character = firstUtf8Char(std::string_view(text).substr(at));
        codes.push_back(character.length == 0 ? 0xDC00U + static_cast<unsigned char>(text[at])
                                              : character.code);
        at += std::max<std::size_t>(1, character.length);
    }
    return codes;
}

std::vector<std::uint32_t> utf16Units(const std::vector<std::uint32_t>& codes)
{
    std::vector<std::uint32_t> units;
    for (const std::uint32_t code : codes) {
        if (code >= 0x10000)
            units.insert(units.end(),
                         { 0xD800U + ((code - 0x10000U) >> 10U), 0xDC00U + ((code - 0x10000U) & 0x3FFU) });
        else
            units.push_back(code);
    }
    return units;
}

// Adds the forms that write every character by its number, also those that need no escape.
void addNumbers(const std::vector<std::uint32_t>& codes, Forms& forms)
{
    std::string decimal;
    for (const std::uint32_t code : codes)
        decimal += "&#" + std::to_string(code) + ";";
    forms.insert(std::move(decimal));
    for (const std::string_view digits : { kUpper, kLower }) {
        std::string html;
        for (const std::uint32_t code : codes) {
            addCode(code, "&#x", code < 0x100 ? 2 : code < 0x1000 ? 3 : code < 0x10000 ? 4 : 5, digits, html);
            html += ';';
        }
        forms.insert(std::move(html));
        std::string json;
        for (const std::uint32_t unit : utf16Units(codes))
            addCode(unit, "\\u", 4, digits, json);
        forms.insert(std::move(json));
    }
}

// Adds the text in UTF-16 of either byte order: as bytes, as Python shows these bytes, and as JSON writes
// them where they were taken for characters.
void addUtf16(const std::vector<std::uint32_t>& codes, Forms& forms)
{
    for (const bool isLittle : { true, false }) {
        std::string bytes;
        for (const std::uint32_t unit : utf16Units(codes)) {
            const auto low = static_cast<char>(unit & 0xFFU);
            const auto high = static_cast<char>(unit >> 8U);
            bytes += isLittle ? low : high;
            bytes += isLittle ? high : low;
        }
        forms.insert(
            writtenBy({ .escaped = "\\", .controls = true, .codesBytes = true, .json = false }, bytes));
        forms.insert(
            writtenBy({ .escaped = "\\'", .controls = true, .codesBytes = true, .json = false }, bytes));
        if (std::ranges::all_of(bytes, [](char each) { return static_cast<unsigned char>(each) < 128; }))
            forms.insert(writtenBy({ .escaped = "\\\"", .controls = true, .codesCharacters = true }, bytes));
        forms.insert(std::move(bytes));
    }
}

void addCodeStrings(const std::string& secret, Forms& forms)
{
    const std::string json = toJson(Value(secret));
    forms.insert(json.substr(1, json.size() - 2));
    const std::array kWriters{
        Writer{ .escaped = "\\'" },
        Writer{ .escaped = "\\\"'/" },
        // These write JSON in ASCII, with lower and upper case digits, with "\/", and as embedded in HTML.
        Writer{ .escaped = "\\\"", .controls = true, .codesCharacters = true },
        Writer{ .escaped = "\\\"", .controls = true, .codesCharacters = true, .digits = kUpper },
        Writer{ .escaped = "\\\"/", .controls = true, .codesCharacters = true },
        Writer{ .escaped = "\\\"/", .controls = true },
        Writer{ .escaped = "\\\"", .coded = "<>&", .controls = true },
        // These are Python's repr() of text and of bytes, and ascii(), with either quote around it.
        Writer{ .escaped = "\\", .controls = true, .json = false },
        Writer{ .escaped = "\\'", .controls = true, .json = false },
        Writer{ .escaped = "\\", .controls = true, .codesBytes = true, .json = false },
        Writer{ .escaped = "\\'", .controls = true, .codesBytes = true, .json = false },
        Writer{ .escaped = "\\", .controls = true, .codesCharacters = true, .json = false },
        Writer{ .escaped = "\\'", .controls = true, .codesCharacters = true, .json = false },
    };
    for (const Writer& writer : kWriters)
        forms.insert(writtenBy(writer, secret));
}

} // namespace

std::vector<std::string> writtenForms(const std::string& secret)
{
    Forms forms;
    addBase64Alone(secret, forms);
    for (std::size_t before = 0; before < 3; ++before)
        addBase64Within(secret, before, forms);
    addHex(secret, forms);
    addPercent(secret, forms);
    addHtml(secret, forms);
    addCodeStrings(secret, forms);
    const std::vector<std::uint32_t> codes = codesOf(secret);
    addNumbers(codes, forms);
    if (isValidUtf8(secret))
        addUtf16(codes, forms);
    std::erase_if(forms, [](const std::string& form) { return form.size() < kShortestForm; });
    forms.insert(secret);
    return { forms.begin(), forms.end() };
}

} // namespace sg
