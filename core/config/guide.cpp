#include "core/config/guide.h"

#include "core/base/file.h"

#include <string_view>
#include <utility>

namespace sg::config {
namespace {

constexpr std::size_t kMostText = 1U << 20;

std::string_view nextLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

// A chapter begins with "# Title" and a paragraph.
GuideChapter chapterOf(std::string name, std::string text)
{
    GuideChapter chapter;
    chapter.name = std::move(name);
    std::string_view rest = text;
    const std::string_view first = nextLine(rest);
    chapter.title = first.starts_with("# ") ? first.substr(2) : first;
    while (!rest.empty()) {
        const std::string_view line = nextLine(rest);
        if (line.empty() && !chapter.summary.empty())
            break;
        if (!line.empty())
            chapter.summary += (chapter.summary.empty() ? "" : " ") + std::string(line);
    }
    chapter.text = std::move(text);
    return chapter;
}

// Returns the files that the index links to, in its order: "[Title](name.md)".
std::vector<std::string> linkedNames(std::string_view index)
{
    std::vector<std::string> names;
    for (std::size_t at = index.find("]("); at != std::string_view::npos; at = index.find("](", at + 2)) {
        const std::size_t end = index.find(".md)", at);
        const std::string_view name = index.substr(at + 2, end == std::string_view::npos ? 0 : end - at - 2);
        if (!name.empty() && name.find_first_of("/)\n") == std::string_view::npos)
            names.emplace_back(name);
    }
    return names;
}

} // namespace

Result<std::vector<GuideChapter>> readGuide(const std::filesystem::path& folder)
{
    const auto index = readFile(folder / "index.md", kMostText);
    if (!index)
        return Error(index.error()).during("read the guide");
    std::vector<GuideChapter> chapters;
    for (std::string& name : linkedNames(*index)) {
        auto text = readFile(folder / (name + ".md"), kMostText);
        if (!text)
            return std::move(text.error()).during("read the guide");
        chapters.push_back(chapterOf(std::move(name), std::move(*text)));
    }
    return chapters;
}

} // namespace sg::config
