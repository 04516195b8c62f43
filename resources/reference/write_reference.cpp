// write-reference FOLDER: writes FOLDER/schemas/graph.schema.json and FOLDER/guide/nodes.md anew.

#include "core/base/file.h"
#include "core/base/json.h"

#include <cstdio>
#include <filesystem>

#include "resources/reference/node_reference.h"

using namespace sg;

namespace {

Result<void> write(const std::filesystem::path& resources)
{
    const auto file = resources / "schemas/graph.schema.json";
    const auto text = readFile(file);
    if (!text)
        return text.error();
    const auto old = parseJson(*text);
    if (!old)
        return Error(old.error()).during("read " + file.string());
    const Value schema = reference::withNodeKinds(*old);
    if (auto written = writeFileAtomically(file, reference::schemaText(schema)); !written)
        return written;
    return writeFileAtomically(resources / "guide/nodes.md", reference::nodeChapter(schema));
}

} // namespace

int main(int argc, char** argv)
{
    const auto written = argc == 2
        ? write(argv[1])
        : Result<void>(Error{ Errc::InvalidArgument, "usage: write-reference FOLDER" });
    if (!written)
        std::fprintf(stderr, "error: %s\n", written.error().message.c_str());
    return written ? 0 : 1;
}
