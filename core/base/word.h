#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sg {

// An enum whose values have names in files, databases and JSON. Beside the enum stands, in its namespace,
//     constexpr auto namesOf(Kind) { return std::to_array<std::pair<Kind, std::string_view>>({ … }); }
template<typename Kind>
concept NamedKind = requires(Kind kind)
{
    namesOf(kind);
};

template<NamedKind Kind>
constexpr std::string_view nameAmong(Kind kind)
{
    for (const auto& [each, name] : namesOf(kind))
        if (each == kind)
            return name;
    return {};
}

// Returns nullopt if no value has this name, for instance because another version wrote it.
template<NamedKind Kind>
constexpr std::optional<Kind> kindNamed(std::string_view word)
{
    for (const auto& [each, name] : namesOf(Kind{}))
        if (name == word)
            return each;
    return std::nullopt;
}

// A word that was read, or is to be written: the name of a Kind, or a word of another version, which is kept
// as it is. It is compared with a Kind, never with text.
template<NamedKind Kind>
class Word {
public:
    Word() = default;
    Word(Kind kind)
        : m_text(nameAmong(kind))
        , m_kind(kind)
    {
    }
    template<std::convertible_to<std::string_view> Text>
    Word(const Text& text)
        : m_text(std::string_view(text))
        , m_kind(kindNamed<Kind>(m_text))
    {
    }

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::optional<Kind> kind() const { return m_kind; }
    [[nodiscard]] bool empty() const { return m_text.empty(); }

    friend bool operator==(const Word& a, const Word& b) { return a.m_text == b.m_text; }
    friend bool operator==(const Word& word, Kind kind) { return word.m_kind == kind; }
    template<std::convertible_to<std::string_view> Text>
    friend bool operator==(const Word& word, const Text& text) = delete;

private:
    std::string m_text;
    std::optional<Kind> m_kind;
};

} // namespace sg
