#include "core/sessions/session_mode.h"

#include "core/base/printable.h"

#include <cctype>
#include <vector>

namespace sg::sessions {
namespace {

constexpr std::size_t kLongestName = 64;

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words(1);
    for (const char letter : text) {
        if (letter == '_' || letter == '-' || letter == ' ')
            words.emplace_back();
        else
            words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    std::erase(words, std::string());
    return words;
}

std::optional<DatasetAccess> accessOf(std::string_view word)
{
    return kindNamed<DatasetAccess>(word == "LOCAL" ? "LOCAL_RO" : word);
}

Error unknown(std::string_view text)
{
    return {
        Errc::InvalidArgument,
        "\"" + printableText(std::string(text.substr(0, kLongestName)))
            + "\" is no session mode; there are TMPFS and BIND, NONE, LOCAL_RO, API and HYBRID, and one of "
              "each together, such as TMPFS_LOCAL"
    };
}

} // namespace

std::string nameOf(const SessionMode& mode)
{
    const std::string_view access =
        mode.datasets == DatasetAccess::LocalRo ? std::string_view("LOCAL") : nameOf(mode.datasets);
    return std::string(nameOf(mode.storage)) + '_' + std::string(access);
}

Result<ModeName> modeNamed(std::string_view text)
{
    if (text.size() > kLongestName)
        return unknown(text);
    ModeName name;
    bool wasLocal = false;
    for (const std::string& word : wordsOf(text)) {
        const auto storage = kindNamed<SessionStorage>(word);
        const auto access = accessOf(word);
        const bool endsLocal = word == "RO" && wasLocal;
        if ((storage && name.storage) || (access && name.datasets) || (!storage && !access && !endsLocal))
            return unknown(text);
        if (storage)
            name.storage = storage;
        if (access)
            name.datasets = access;
        wasLocal = word == "LOCAL";
    }
    if (!name.storage && !name.datasets)
        return unknown(text);
    return name;
}

} // namespace sg::sessions
