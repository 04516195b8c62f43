#include "core/graph/requirement.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sg::graph {
namespace {

constexpr std::size_t kMostLength = 4096;
constexpr std::size_t kMostRequirements = 1000;
constexpr std::string_view kBlank = " \t\r";

Error refused(std::string_view text, const std::string& why)
{
    return { Errc::InvalidArgument, "\"" + printableText(std::string(text.substr(0, 120))) + "\" " + why };
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isSeparator(char c)
{
    return c == '-' || c == '_' || c == '.';
}

// Takes the name off the front, normalized as packages are compared: lower case, "-" for every run of
// separators. Empty: there is none.
std::string takeName(std::string_view& rest)
{
    std::string name;
    std::size_t end = 0;
    for (; end < rest.size() && (isLetterOrDigit(rest[end]) || isSeparator(rest[end])); ++end) {
        if (!isSeparator(rest[end]))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(rest[end])));
        else if (!name.ends_with('-'))
            name += '-';
    }
    if (name.empty() || name.front() == '-' || name.back() == '-')
        return {};
    rest = trimmed(rest.substr(end));
    return name;
}

// Reads "[a, B]" as "[a,b]"; empty if there are none.
Result<std::string> takeExtras(std::string_view& rest, std::string_view all)
{
    if (!rest.starts_with('['))
        return std::string();
    std::vector<std::string> names;
    rest.remove_prefix(1);
    do {
        rest = trimmed(rest);
        names.push_back(takeName(rest));
        if (names.back().empty())
            return refused(all, "is no requirement: names of extras are missing within [ ]");
    } while (rest.starts_with(',') && (rest.remove_prefix(1), true));
    if (!rest.starts_with(']'))
        return refused(all, "is no requirement: ] is missing");
    rest = trimmed(rest.substr(1));
    std::ranges::sort(names);
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "[" : ",") + name;
    return text + ']';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Accepts "1!2.0rc1", "3.*", "1.0+local.1": alphanumeric parts between single separators, first a number.
bool isVersion(std::string_view text)
{
    if (text.ends_with(".*"))
        text.remove_suffix(2);
    if (const std::size_t epoch = text.find('!'); epoch != std::string_view::npos) {
        if (epoch == 0 || !std::ranges::all_of(text.substr(0, epoch), isDigit))
            return false;
        text.remove_prefix(epoch + 1);
    }
    if (text.starts_with('v') || text.starts_with('V'))
        text.remove_prefix(1);
    const std::size_t local = std::min(text.find('+'), text.size());
    bool afterPart = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPart = isLetterOrDigit(text[i]);
        if (!isPart && !(afterPart && (isSeparator(text[i]) || i == local)))
            return false;
        afterPart = isPart;
    }
    return afterPart && isDigit(text.front());
}

// Reads ">= 1, < 2" as "<2,>=1".
Result<std::string> readVersions(std::string_view text, std::string_view all)
{
    constexpr std::array<std::string_view, 8> kSigns{ "===", "==", "~=", "!=", "<=", ">=", "<", ">" };
    if (text.starts_with('(') && text.ends_with(')'))
        text = text.substr(1, text.size() - 2);
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view part = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto sign =
            std::ranges::find_if(kSigns, [&](std::string_view each) { return part.starts_with(each); });
        if (sign == kSigns.end() || !isVersion(trimmed(part.substr(sign->size()))))
            return refused(all,
                           "is no requirement: a package is named with versions such as \"name==1.2\" or "
                           "\"name>=1,<2\"");
        parts.push_back(std::string(*sign) + std::string(trimmed(part.substr(sign->size()))));
    }
    std::ranges::sort(parts);
    std::string joined;
    for (const std::string& part : parts)
        joined += (joined.empty() ? "" : ",") + part;
    return joined;
}

Result<std::string> readUrl(std::string_view url, std::string_view all)
{
    if (!url.starts_with("https://"))
        return refused(
            all, "names no https:// address of a wheel; a folder with wheels is named by PIP_FIND_LINKS");
    const std::string_view path = url.substr(0, url.find_first_of("?#"));
    if (!path.ends_with(".whl"))
        return refused(all, "does not lead to a wheel (.whl): nothing is built for a session");
    const std::size_t host = url.find("//") + 2;
    if (url.substr(host, url.find('/', host) - host).find('@') != std::string_view::npos)
        return refused(all, "has a user's name or password in it, which would be recorded with every run");
    if (url.find_first_of(" \t\"'\\") != std::string_view::npos)
        return refused(all, "has characters that no address has");
    return std::string(url);
}

// Reads what follows the requirement: any number of "--hash=sha256:…".
Result<std::string> readHashes(std::string_view text, std::string_view all)
{
    std::vector<std::string> hashes;
    while (!(text = trimmed(text)).empty()) {
        const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(end);
        const std::size_t colon = word.find(':');
        const bool isHash = word.starts_with("--hash=sha") && colon != std::string_view::npos
            && colon + 64 < word.size() && std::ranges::all_of(word.substr(colon + 1), [](unsigned char c) {
                                return std::isxdigit(c) != 0;
                            });
        if (!isHash)
            return refused(all,
                           "has an option that a requirement cannot have; only --hash=sha256:… may follow");
        hashes.emplace_back(word);
    }
    std::ranges::sort(hashes);
    std::string joined;
    for (const std::string& hash : hashes)
        joined += ' ' + hash;
    return joined;
}

Result<std::string> readMarker(std::string_view text, std::string_view all)
{
    const std::string_view marker = trimmed(text);
    const bool isPlain = std::ranges::all_of(marker, [](char c) {
        return isLetterOrDigit(c) || std::string_view(" _.-+*!<>=~'\"(),").find(c) != std::string_view::npos;
    });
    if (marker.empty() || !isPlain)
        return refused(all, "has no condition after its \";\"");
    return "; " + std::string(marker);
}

Result<void> refuseOthers(std::string_view text)
{
    if (text.size() > kMostLength)
        return refused(text, "is longer than any requirement");
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 && c != '\t'; }))
        return refused(text, "holds control characters");
    if (text.starts_with("-e") || text.starts_with("--editable"))
        return refused(text, "is installed from its sources; only wheels are");
    if (text.starts_with('-'))
        return refused(text,
                       "is an option of pip: options belong to pip's own configuration (pip.conf, "
                       "PIP_INDEX_URL, PIP_FIND_LINKS)");
    if (text.starts_with('.') || text.starts_with('/') || text.starts_with('~'))
        return refused(text, "is a path; a folder with wheels is named by PIP_FIND_LINKS");
    for (const std::string_view scheme : { "git+", "hg+", "svn+", "bzr+", "file:", "http:", "https:" })
        if (text.starts_with(scheme))
            return refused(
                text,
                "names no package; \"name==version\", or \"name @ https://host/….whl\" for one from "
                "an address");
    return {};
}

} // namespace

Result<std::string> parseRequirement(std::string_view whole)
{
    const std::string_view text = trimmed(whole);
    if (text.empty())
        return refused(text, "is no requirement");
    if (auto fine = refuseOthers(text); !fine)
        return fine.error();
    const std::size_t options = text.find(" --");
    auto hashes =
        options == std::string_view::npos ? Result<std::string>("") : readHashes(text.substr(options), text);
    if (!hashes)
        return hashes;
    std::string_view rest = trimmed(text.substr(0, options));
    std::string name = takeName(rest);
    if (name.empty())
        return refused(text, "is no requirement: it begins with no package's name");
    const auto extras = takeExtras(rest, text);
    if (!extras)
        return extras;
    const bool isUrl = rest.starts_with('@');
    // In an address a ";" begins a marker only after a blank.
    const std::size_t semicolon = isUrl ? rest.find(" ;") : rest.find(';');
    auto marker = semicolon == std::string_view::npos
        ? Result<std::string>("")
        : readMarker(rest.substr(rest.find(';', semicolon) + 1), text);
    if (!marker)
        return marker;
    rest = trimmed(rest.substr(0, semicolon));
    auto what = isUrl ? readUrl(trimmed(rest.substr(1)), text) : readVersions(rest, text);
    if (!what)
        return what;
    const std::string blank = isUrl && !marker->empty() ? " " : "";
    return name + *extras + (isUrl ? " @ " : "") + *what + blank + *marker + *hashes;
}

std::string moduleOfRequirement(std::string_view requirement)
{
    std::string name(requirement.substr(0, requirement.find_first_of(" [<>=!~;@")));
    std::ranges::replace(name, '-', '_');
    return name;
}

Result<std::vector<std::string>> parseRequirementsFile(std::string_view text)
{
    std::vector<std::string> found;
    std::string joined;
    std::size_t number = 0;
    std::size_t first = 1;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (joined.empty())
            first = number;
        // In pip's files a comment begins at the line's start or after a blank.
        for (std::size_t hash = line.find('#'); hash != std::string_view::npos;
             hash = line.find('#', hash + 1))
            if (hash == 0 || kBlank.find(line[hash - 1]) != std::string_view::npos) {
                line = line.substr(0, hash);
                break;
            }
        line = trimmed(line);
        const bool goesOn = line.ends_with('\\');
        joined += (joined.empty() ? "" : " ")
            + std::string(goesOn ? trimmed(line.substr(0, line.size() - 1)) : line);
        if ((goesOn && !text.empty()) || trimmed(joined).empty()) {
            if (!goesOn)
                joined.clear();
            continue;
        }
        auto requirement = parseRequirement(joined);
        if (!requirement)
            return std::move(requirement.error()).during("line " + std::to_string(first));
        if (found.size() >= kMostRequirements)
            return Error{ Errc::LimitExceeded, "more than 1000 requirements" };
        found.push_back(std::move(*requirement));
        joined.clear();
    }
    return found;
}

Result<std::vector<std::string>> parseRequirementList(const Value& list)
{
    constexpr std::size_t kMost = 1000;
    std::vector<std::string> lines;
    if (list.isNull())
        return lines;
    if (!list.isList() || list.asList().size() > kMost)
        return Error{ Errc::InvalidArgument,
                      "\"requirements\" is a list of at most 1000 Python requirements" };
    for (const Value& each : list.asList()) {
        auto parsed = each.isString()
            ? parseRequirement(each.asString())
            : Result<std::string>(
                Error{ Errc::InvalidArgument, "a requirement is text (\"networkx==3.3\")" });
        if (!parsed)
            return std::move(parsed.error());
        lines.push_back(std::move(*parsed));
    }
    return sortedRequirements(std::move(lines));
}

std::vector<std::string> sortedRequirements(std::vector<std::string> requirements)
{
    std::ranges::sort(requirements);
    const auto twice = std::unique(requirements.begin(), requirements.end());
    requirements.erase(twice, requirements.end());
    return requirements;
}

} // namespace sg::graph
