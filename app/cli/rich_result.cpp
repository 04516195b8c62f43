#include "app/cli/rich_result.h"

#include "core/base/file.h"

#include <array>
#include <string_view>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace sg::cli {
namespace {

constexpr int kMostNames = 10'000;

std::string suffixOf(const std::string& type)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kSuffixes{ {
        { "text/html", ".html" },
        { "text/markdown", ".md" },
        { "text/latex", ".tex" },
        { "image/svg+xml", ".svg" },
        { "image/png", ".png" },
        { "image/jpeg", ".jpg" },
        { "image/gif", ".gif" },
        { "image/webp", ".webp" },
        { "application/pdf", ".pdf" },
        { "application/json", ".json" },
        { "application/vnd.dataresource+json", ".table.json" },
        { "application/vnd.apache.arrow.stream", ".arrows" },
    } };
    for (const auto& [known, suffix] : kSuffixes)
        if (known == type)
            return std::string(suffix);
    return type.starts_with("text/") ? ".txt" : ".bin";
}

// The first path that does not exist yet.
fs::path freePath(const fs::path& folder, int number, const std::string& suffix)
{
    std::error_code failed;
    for (int i = number; i < kMostNames; ++i)
        if (fs::path path = folder / ("result-" + std::to_string(i) + suffix); !fs::exists(path, failed))
            return path;
    return folder / ("result" + suffix);
}

} // namespace

RichResults::RichResults(const Output& out, fs::path folder)
    : m_out(out)
    , m_folder(std::move(folder))
{
}

void RichResults::show(const Value& bundle)
{
    if (!bundle.isMap())
        return;
    ++m_number;
    if (bundle["text/plain"].isString())
        m_out.text(bundle["text/plain"].asString());
    for (const auto& [type, data] : bundle.asMap()) {
        if (!type.isString() || type.asString() == "text/plain")
            continue;
        if (m_folder.empty())
            m_unsaved.insert(type.asString());
        else
            save(type.asString(), data);
    }
}

void RichResults::save(const std::string& type, const Value& data)
{
    std::error_code failed;
    fs::create_directories(m_folder, failed);
    const fs::path path = freePath(m_folder, m_number, suffixOf(type));
    const auto written = writeFileAtomically(path, data.isBytes() ? data.asBytes() : data.asString());
    if (!written) {
        m_out.note(written.error().message);
        return;
    }
    m_saved.emplace_back(path.string());
    m_out.note("saved " + path.string());
}

ValueList RichResults::end()
{
    if (!m_unsaved.empty() && !m_out.json) {
        std::string types;
        for (const std::string& type : m_unsaved)
            types += (types.empty() ? "" : ", ") + type;
        m_out.note("also as " + types + "; --save FOLDER writes them there");
    }
    return std::exchange(m_saved, {});
}

} // namespace sg::cli
