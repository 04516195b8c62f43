#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/mcp/tools.h"
#include "core/sessions/session.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::servers {

inline constexpr std::string_view kArtifactScheme = "sandglass://artifacts/";
// The size from which on a text becomes an artifact. A result has several texts, and each of them twice: as
// JSON, and within the text of the whole.
inline constexpr std::size_t kMostText = 50'000;

Value linkTo(const artifacts::Artifact& artifact);

// The place of what is too large for a result.
struct ResultPlace {
    artifacts::ArtifactStore& artifacts;
    artifacts::ArtifactOrigin origin;
};
// A text that is too long is kept as an artifact, with a link to it.
void shorten(const ResultPlace& place, std::string& text, ValueList& links, std::size_t most = kMostText);

// The value as a result that programs and people can read.
mcp::ToolResult structuredResult(Value value);

// These texts are the cell's output, one for each stream.
struct CellTexts {
    std::string out;
    std::string err;
    std::string events; // of the session itself
};
// The result of code_sandbox: what the cell printed, showed and left, and whether all of it is there.
mcp::ToolResult cellResult(const sessions::CellResult& result, CellTexts texts, const ResultPlace& place);

} // namespace sg::servers
