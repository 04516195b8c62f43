#include "core/servers/mcp/cell_result.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/utf8.h"
#include "core/nodes/kept_displays.h"
#include "core/servers/mcp/offering.h"
#include "core/sessions/cell_outcome.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace sg::servers {
namespace {

constexpr std::size_t kShownText = 20'000; // of a text that became an artifact, and of what is said beside
constexpr std::size_t kPictureMargin = 50'000; // bytes of a result that pictures leave free
constexpr std::array<const char*, 4> kPictures{ "image/png", "image/jpeg", "image/gif", "image/webp" };

void addLine(std::string& text, const std::string& line)
{
    if (!line.empty())
        text += (text.empty() ? "" : "\n") + line;
}

// A cell has no task: its pictures get names of their own by this.
artifacts::ArtifactOrigin originOfDisplays(artifacts::ArtifactOrigin origin)
{
    std::array<char, 6> chance{};
    fillRandomBytes(chance.data(), chance.size());
    origin.node = NodeId("code_sandbox");
    origin.task = TaskId(toHex({ chance.data(), chance.size() }));
    return origin;
}

// Keeps what the cell showed, with links; returns what is said of it.
std::string keepDisplays(const sessions::CellResult& result, const ResultPlace& place, ValueList& links)
{
    nodes::KeptDisplays displays(&place.artifacts, originOfDisplays(place.origin));
    std::string said;
    const auto keep = [&](const Value& bundle, bool isValue) {
        const auto shown = displays.keep(bundle);
        if (!isValue) // its text is a part of the result
            addLine(said, shown.text);
        addLine(said, shown.note);
        if (shown.artifact)
            links.push_back(linkTo(*shown.artifact));
    };
    for (const Value& bundle : result.displays)
        keep(bundle, false);
    if (result.value.isMap())
        keep(result.value, true);
    return said;
}

// The pictures that fit, for a model to look at; each of them is linked too.
void addPictures(const sessions::CellResult& result, mcp::ToolResult& made)
{
    std::size_t used = toJson(made.structured).size() + toJson(made.content).size() + kPictureMargin;
    const auto add = [&](const Value& bundle) {
        for (const char* const mime : kPictures) {
            const Value& picture = bundle[mime];
            if (!picture.isBytes())
                continue;
            std::string data = toBase64(picture.asBytes());
            if (used + data.size() > kMostResult)
                return;
            used += data.size();
            made.content.push_back(
                Value::map({ { "type", "image" }, { "data", std::move(data) }, { "mimeType", mime } }));
            return;
        }
    };
    for (const Value& bundle : result.displays)
        add(bundle);
    add(result.value);
}

} // namespace

Value linkTo(const artifacts::Artifact& artifact)
{
    return Value::map({ { "type", "resource_link" },
                        { "uri", std::string(kArtifactScheme) + artifact.id.value },
                        { "name", artifact.path },
                        { "mimeType", artifact.mime },
                        { "size", static_cast<std::int64_t>(artifact.size) } });
}

void shorten(const ResultPlace& place, std::string& text, ValueList& links, std::size_t most)
{
    if (text.size() <= most / 6 || toJson(Value(text)).size() <= most)
        return;
    auto path = RelativePath::parse("mcp/output-" + sha256Hex(text).substr(0, 12) + ".txt");
    auto writer = path ? place.artifacts.begin(*path, 0, place.origin)
                       : Result<std::unique_ptr<artifacts::ArtifactWriter>>(path.error());
    auto written = writer ? (*writer)->write(text) : Result<void>(writer.error());
    auto stored = written ? (*writer)->finish() : Result<artifacts::Artifact>(written.error());
    std::string note = "\n" + std::to_string(text.size()) + " bytes in all";
    if (stored) {
        links.push_back(linkTo(*stored));
        note += ": " + links.back().stringOr("uri", "");
    } else {
        note += "; the rest is lost, because it could not be kept: " + stored.error().message;
    }
    text = cutText(text, std::min(most, kShownText)) + note;
}

mcp::ToolResult structuredResult(Value value)
{
    mcp::ToolResult made;
    made.content.push_back(
        Value::map({ { "type", "text" }, { "text", toJson(value, JsonStyle::Indented) } }));
    made.structured = std::move(value);
    return made;
}

mcp::ToolResult cellResult(const sessions::CellResult& result, CellTexts texts, const ResultPlace& place)
{
    const sessions::CellOutcome outcome = sessions::outcomeOf(result);
    ValueList links;
    for (const artifacts::Artifact& artifact : result.artifacts)
        links.push_back(linkTo(artifact));
    std::string value = result.value.isMap() ? result.value.stringOr("text/plain", "") : std::string();
    std::string shown = keepDisplays(result, place, links);
    std::string notes = std::move(texts.events);
    for (const std::string& note : outcome.notes)
        addLine(notes, note);
    std::string error;
    if (outcome.error)
        error = outcome.error->traceback.empty() ? outcome.error->type + ": " + outcome.error->message
                                                 : outcome.error->traceback;
    for (std::string* each : { &texts.out, &texts.err, &value, &error })
        shorten(place, *each, links);
    for (std::string* each : { &shown, &notes })
        shorten(place, *each, links, kShownText);
    ValueMap told{ { "stdout", std::move(texts.out) },
                   { "stderr", std::move(texts.err) },
                   { "ok", outcome.ok },
                   { "thread", place.origin.thread.value } };
    for (auto& [key, text] : { std::pair("value", &value), std::pair("shown", &shown),
                               std::pair("notes", &notes), std::pair("error", &error) })
        if (!text->empty())
            told.set(key, std::move(*text));
    mcp::ToolResult made = structuredResult(Value(std::move(told)));
    made.isError = !outcome.ok;
    made.content.insert(made.content.end(), links.begin(), links.end());
    addPictures(result, made);
    return made;
}

} // namespace sg::servers
