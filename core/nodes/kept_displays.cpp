#include "core/nodes/kept_displays.h"

#include "core/base/relative_path.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace sg::nodes {
namespace {

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kShownOfTask = 6; // of its id, so that a step's tasks have names of their own

// The richest comes first: one form of each display is kept.
struct Form {
    std::string_view mime;
    std::string_view ending;
    std::string_view word;
    bool isPicture = false; // it says all that its text does
};
constexpr std::array kForms{
    Form{ "image/png", ".png", "figure", true },
    Form{ "image/jpeg", ".jpg", "figure", true },
    Form{ "image/gif", ".gif", "figure", true },
    Form{ "image/webp", ".webp", "figure", true },
    Form{ "image/svg+xml", ".svg", "figure", true },
    Form{ "application/pdf", ".pdf", "document", true },
    Form{ "text/html", ".html", "html" },
    Form{ "text/markdown", ".md", "markdown" },
    Form{ "text/latex", ".tex", "latex" },
    Form{ "application/json", ".json", "json" },
};

const std::string* contentOf(const Value& bundle, std::string_view mime)
{
    const Value& part = bundle[mime];
    if (part.isString())
        return &part.asString();
    return part.isBytes() ? &part.asBytes() : nullptr;
}

std::string sizeText(std::size_t bytes)
{
    return bytes < 1000 ? std::to_string(bytes) + " B" : std::to_string((bytes + 500) / 1000) + " kB";
}

// A node's name may hold anything; a file's may not.
std::string fileName(const std::string& node, const std::string& task, int number, const Form& form)
{
    std::string name;
    for (const char c : node.substr(0, kLongestName)) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name += isPlain || c == '_' || c == '-' ? c : '_';
    }
    return name + "-" + task.substr(0, kShownOfTask) + "-" + std::to_string(number)
        + std::string(form.ending);
}

std::int64_t nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

KeptDisplays::KeptDisplays(artifacts::ArtifactStore* store, artifacts::ArtifactOrigin origin)
    : m_store(store)
    , m_origin(std::move(origin))
{
}

KeptDisplays::Shown KeptDisplays::keep(const Value& bundle)
{
    Shown shown;
    if (const std::string* text = contentOf(bundle, "text/plain"))
        shown.text = *text;
    const auto form = std::ranges::find_if(
        kForms, [&](const Form& each) { return contentOf(bundle, each.mime) != nullptr; });
    if (form == kForms.end() || m_store == nullptr)
        return shown;
    if (m_count >= kMost) {
        if (!std::exchange(m_saidFull, true))
            shown.note = "[more is shown than the " + std::to_string(kMost) + " that are kept of a task]";
        return shown;
    }
    const std::string& content = *contentOf(bundle, form->mime);
    const std::string name = fileName(m_origin.node.value, m_origin.task.value, ++m_count, *form);
    const auto path = RelativePath::parse("displays/" + name);
    auto writer = path ? m_store->begin(*path, nowNs(), m_origin)
                       : Result<std::unique_ptr<artifacts::ArtifactWriter>>(path.error());
    auto written = writer ? (*writer)->write(content) : Result<void>(writer.error());
    auto stored = written ? (*writer)->finish() : Result<artifacts::Artifact>(written.error());
    if (!stored) {
        shown.note = "[a " + std::string(form->word) + " could not be kept: " + stored.error().message + "]";
        return shown;
    }
    if (form->isPicture)
        shown.text.clear();
    const bool isTable = form->mime == "text/html"
        && (contentOf(bundle, "application/vnd.dataresource+json") != nullptr
            || contentOf(bundle, "application/vnd.apache.arrow.stream") != nullptr);
    shown.note = "[" + std::string(isTable ? "table" : form->word) + " " + sizeText(content.size()) + ": "
        + name + "]";
    shown.artifact = std::move(*stored);
    return shown;
}

} // namespace sg::nodes
