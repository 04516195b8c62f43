#include "core/artifacts/export_name.h"

#include "core/artifacts/artifact_store.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sg::artifacts {
namespace {

constexpr std::size_t kMaxCharacters = 120;
constexpr std::size_t kMaxBytes = 240; // file systems allow 255
constexpr std::size_t kMaxExtensionBytes = 20;

bool isForbidden(std::uint32_t code)
{
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return true;
    // Marks that reorder or hide text could make "exe.gpj" look like another name.
    if ((code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E)
        || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || code == 0x061C)
        return true;
    return code < 0x80
        && std::string_view("<>:\"/\\|?*").find(static_cast<char>(code)) != std::string_view::npos;
}

std::string withSafeCharacters(std::string_view name)
{
    std::string safe;
    while (!name.empty()) {
        const Utf8Char character = firstUtf8Char(name);
        const std::size_t length = std::max<std::size_t>(character.length, 1);
        if (character.length == 0 || isForbidden(character.code))
            safe += '_';
        else
            safe += name.substr(0, length);
        name.remove_prefix(length);
    }
    return safe;
}

std::string upper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

// Windows takes these names for devices, whatever follows the first dot.
bool isDeviceName(const std::string& name)
{
    std::string stem = name.substr(0, name.find('.'));
    stem.erase(stem.find_last_not_of(' ') + 1);
    stem = upper(stem);
    static constexpr std::array<std::string_view, 6> kDevices{
        "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"
    };
    if (std::find(kDevices.begin(), kDevices.end(), stem) != kDevices.end())
        return true;
    if (stem.rfind("COM", 0) != 0 && stem.rfind("LPT", 0) != 0)
        return false;
    const std::string rest = stem.substr(3);
    static constexpr std::array<std::string_view, 3> kSuperscripts{ "\xC2\xB9", "\xC2\xB2", "\xC2\xB3" };
    return (rest.size() == 1 && rest[0] >= '0' && rest[0] <= '9')
        || std::find(kSuperscripts.begin(), kSuperscripts.end(), rest) != kSuperscripts.end();
}

std::size_t extensionStart(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || name.size() - dot > kMaxExtensionBytes)
        return name.size();
    return dot;
}

std::size_t characterCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

void dropLastCharacter(std::string& text)
{
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80)
        text.pop_back();
    if (!text.empty())
        text.pop_back();
}

std::string shortened(std::string stem, const std::string& tail)
{
    while (!stem.empty()
           && (characterCount(stem) + characterCount(tail) > kMaxCharacters
               || stem.size() + tail.size() > kMaxBytes))
        dropLastCharacter(stem);
    return stem + tail;
}

} // namespace

std::string exportName(std::string_view name)
{
    const std::size_t slash = name.rfind('/');
    if (slash != std::string_view::npos)
        name.remove_prefix(slash + 1);
    std::string safe = withSafeCharacters(name);
    safe.erase(0, std::min(safe.find_first_not_of(' '), safe.size()));
    safe.erase(safe.find_last_not_of(". ") + 1);
    if (safe.empty())
        return "artifact";
    if (isDeviceName(safe))
        safe.insert(0, "_");
    const std::size_t dot = extensionStart(safe);
    return shortened(safe.substr(0, dot), safe.substr(dot));
}

std::string numberedExportName(const std::string& name, int number)
{
    if (number < 2)
        return name;
    const std::size_t dot = extensionStart(name);
    return shortened(name.substr(0, dot), " (" + std::to_string(number) + ")" + name.substr(dot));
}

} // namespace sg::artifacts
