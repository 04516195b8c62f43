// write-reference SCHEMA FOLDER: completes the schema and writes FOLDER/schemas/graph.schema.json and
// FOLDER/guide/nodes.md.

#include "core/base/file.h"
#include "core/base/json.h"

#include <cstdio>
#include <filesystem>

#include "resources/reference/node_reference.h"

using namespace sg;

namespace {

Result<void> write(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    const auto text = readFile(file);
    if (!text)
        return text.error();
    const auto begun = parseJson(*text);
    if (!begun)
        return Error(begun.error()).during("read " + file.string());
    const Value schema = reference::completed(*begun);
    const auto made = folder / "schemas/graph.schema.json";
    if (auto written = writeFileAtomically(made, reference::schemaText(schema)); !written)
        return written;
    return writeFileAtomically(folder / "guide/nodes.md", reference::nodeChapter(schema));
}

} // namespace

int main(int argc, char** argv)
{
    const auto written = argc == 3
        ? write(argv[1], argv[2])
        : Result<void>(Error{ Errc::InvalidArgument, "usage: write-reference SCHEMA FOLDER" });
    if (!written)
        std::fprintf(stderr, "error: %s\n", written.error().message.c_str());
    return written ? 0 : 1;
}
