#include "core/datasets/dataset_format.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::datasets {
namespace {

constexpr std::size_t kMostId = 200;

struct Ending {
    std::string_view suffix;
    std::string_view format;
};

// The first ending of a format is the one given to files.
constexpr std::array kEndings{
    Ending{ ".parquet", "parquet" }, Ending{ ".csv", "csv" },       Ending{ ".tsv", "csv" },
    Ending{ ".arrow", "arrow" },     Ending{ ".feather", "arrow" }, Ending{ ".arrows", "arrow" },
    Ending{ ".jsonl", "jsonl" },     Ending{ ".ndjson", "jsonl" },  Ending{ ".json", "json" },
};

bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view afterSpace(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

bool beginsAs(const std::string& format, std::string_view bytes)
{
    if (format == "parquet")
        return bytes.starts_with("PAR1");
    if (format == "arrow") // a file, a stream, a stream from before 2019, Feather V1
        return bytes.starts_with("ARROW1") || bytes.starts_with("\xFF\xFF\xFF\xFF")
            || bytes.starts_with("FEA1") || (bytes.size() >= 4 && bytes[3] == '\0');
    const std::string_view text = afterSpace(bytes);
    if (format == "csv")
        return !text.starts_with("<") && bytes.find('\0') == std::string_view::npos;
    constexpr std::string_view kJson = "{[\"-0123456789tfn";
    return text.empty() || kJson.find(text.front()) != std::string_view::npos;
}

} // namespace

bool isFormat(std::string_view word)
{
    return std::ranges::any_of(kEndings, [&](const Ending& ending) { return ending.format == word; });
}

std::string formatOfName(std::string_view fileName)
{
    for (const Ending& ending : kEndings)
        if (fileName.size() > ending.suffix.size() && fileName.ends_with(ending.suffix))
            return std::string(ending.format);
    return {};
}

Result<std::string> checkedId(std::string_view text)
{
    const auto isFine = [](char c) { return isWord(c) || c == '-' || c == '.'; };
    if (text.empty() || text.size() > kMostId || !isWord(text.front()) || !std::ranges::all_of(text, isFine))
        return Error{ Errc::InvalidArgument,
                      "'" + printableText(std::string(text.substr(0, kMostId)))
                          + "' is no dataset's name: letters, digits, '_', '-' and '.', at most 200" };
    return std::string(text);
}

std::string fileNameOf(const std::string& id, const std::string& format)
{
    if (format.empty() || !formatOfName(id).empty())
        return id;
    const auto ending = std::ranges::find(kEndings, std::string_view(format), &Ending::format);
    return id + std::string(ending->suffix);
}

std::vector<std::string> fileNamesFor(const std::string& id)
{
    std::vector<std::string> names;
    if (!formatOfName(id).empty())
        names.push_back(id);
    for (const Ending& ending : kEndings)
        names.push_back(id + std::string(ending.suffix));
    return names;
}

std::optional<std::string> objectionTo(const std::string& format, std::string_view firstBytes)
{
    if (format.empty() || beginsAs(format, firstBytes))
        return std::nullopt;
    return "is no " + format + " file: it begins with '"
        + printableText(std::string(firstBytes.substr(0, 16))) + "'";
}

} // namespace sg::datasets
