#include "core/artifacts/s3/aws_profile.h"

#include "core/base/file.h"
#include "core/base/printable.h"

#include <algorithm>
#include <system_error>

namespace sg::artifacts::s3 {
namespace {

constexpr std::size_t kLargestProfileFile = 1U << 20;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// "[profile work]" and "[work]" name the same profile; "[services local]" and "[sso-session x]" do not.
std::string sectionName(std::string_view line)
{
    const std::size_t end = line.find(']');
    std::string_view name = trimmed(line.substr(1, end == line.npos ? line.npos : end - 1));
    constexpr std::string_view kProfile = "profile ";
    if (name.starts_with(kProfile))
        name = trimmed(name.substr(kProfile.size()));
    return std::string(name);
}

Result<std::map<std::string, ProfileValues>> readFileOf(const std::filesystem::path& path)
{
    std::error_code failed;
    if (path.empty() || !std::filesystem::exists(path, failed))
        return std::map<std::string, ProfileValues>();
    const auto text = readFile(path, kLargestProfileFile);
    if (!text)
        return text.error();
    return parseProfiles(*text);
}

} // namespace

std::map<std::string, ProfileValues> parseProfiles(std::string_view text)
{
    std::map<std::string, ProfileValues> profiles;
    ProfileValues* section = nullptr;
    std::string outer; // of indented lines
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#' || content.front() == ';')
            continue;
        if (content.front() == '[') {
            section = &profiles[sectionName(content)];
            outer.clear();
            continue;
        }
        const std::size_t equals = content.find('=');
        if (section == nullptr || equals == content.npos)
            continue;
        const std::string name(trimmed(content.substr(0, equals)));
        const std::string value(trimmed(content.substr(equals + 1)));
        const bool isNested = kBlanks.find(line.front()) != kBlanks.npos && !outer.empty();
        if (!isNested)
            outer = value.empty() ? name : std::string();
        section->insert_or_assign(isNested ? outer + '.' + name : name, value);
    }
    return profiles;
}

Result<ProfileValues> readProfile(const std::filesystem::path& config,
                                  const std::filesystem::path& credentials, const std::string& profile)
{
    ProfileValues values;
    bool isKnown = false;
    for (const std::filesystem::path& path : { config, credentials }) {
        auto profiles = readFileOf(path);
        if (!profiles)
            return std::move(profiles.error());
        const auto found = profiles->find(profile);
        if (found == profiles->end())
            continue;
        isKnown = true;
        for (auto& [name, value] : found->second)
            values.insert_or_assign(name, value);
        if (const auto services = values.find("services"); services != values.end())
            if (const auto section = profiles->find("services " + services->second);
                section != profiles->end())
                for (const auto& [name, value] : section->second)
                    values.emplace(name, value);
    }
    if (!isKnown)
        return Error{ Errc::NotFound,
                      "there is no profile \"" + printableText(profile) + "\" in " + config.string() + " or "
                          + credentials.string() };
    return values;
}

} // namespace sg::artifacts::s3
