#include "core/artifacts/mime_type.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <array>

namespace sg::artifacts {
namespace {

constexpr std::string_view kBinary = "application/octet-stream";
constexpr std::string_view kPlainText = "text/plain";
constexpr std::string_view kZip = "application/zip";

enum class Content { Text, Magic, Any }; // Any: nothing marks it reliably

struct Type {
    std::string_view extension;
    std::string_view mime;
    Content content;
};

constexpr std::array kTypes{
    Type{ "txt", "text/plain", Content::Text },
    Type{ "log", "text/plain", Content::Text },
    Type{ "md", "text/markdown", Content::Text },
    Type{ "csv", "text/csv", Content::Text },
    Type{ "tsv", "text/tab-separated-values", Content::Text },
    Type{ "html", "text/html", Content::Text },
    Type{ "htm", "text/html", Content::Text },
    Type{ "css", "text/css", Content::Text },
    Type{ "py", "text/x-python", Content::Text },
    Type{ "tex", "text/x-tex", Content::Text },
    Type{ "js", "text/javascript", Content::Text },
    Type{ "json", "application/json", Content::Text },
    Type{ "jsonl", "application/jsonl", Content::Text },
    Type{ "ndjson", "application/jsonl", Content::Text },
    Type{ "geojson", "application/geo+json", Content::Text },
    Type{ "ipynb", "application/x-ipynb+json", Content::Text },
    Type{ "yaml", "application/yaml", Content::Text },
    Type{ "yml", "application/yaml", Content::Text },
    Type{ "toml", "application/toml", Content::Text },
    Type{ "xml", "application/xml", Content::Text },
    Type{ "sql", "application/sql", Content::Text },
    Type{ "svg", "image/svg+xml", Content::Text },
    Type{ "png", "image/png", Content::Magic },
    Type{ "jpg", "image/jpeg", Content::Magic },
    Type{ "jpeg", "image/jpeg", Content::Magic },
    Type{ "gif", "image/gif", Content::Magic },
    Type{ "webp", "image/webp", Content::Magic },
    Type{ "bmp", "image/bmp", Content::Magic },
    Type{ "tif", "image/tiff", Content::Magic },
    Type{ "tiff", "image/tiff", Content::Magic },
    Type{ "pdf", "application/pdf", Content::Magic },
    Type{ "parquet", "application/vnd.apache.parquet", Content::Magic },
    Type{ "arrow", "application/vnd.apache.arrow.file", Content::Magic },
    Type{ "feather", "application/vnd.apache.arrow.file", Content::Magic },
    Type{ "npy", "application/x-npy", Content::Magic },
    Type{ "zip", "application/zip", Content::Magic },
    Type{ "gz", "application/gzip", Content::Magic },
    Type{ "bz2", "application/x-bzip2", Content::Magic },
    Type{ "xz", "application/x-xz", Content::Magic },
    Type{ "zst", "application/zstd", Content::Magic },
    Type{ "sqlite", "application/vnd.sqlite3", Content::Magic },
    Type{ "db", "application/vnd.sqlite3", Content::Magic },
    Type{ "h5", "application/x-hdf5", Content::Magic },
    Type{ "hdf5", "application/x-hdf5", Content::Magic },
    Type{ "wav", "audio/wav", Content::Magic },
    Type{ "npz", "application/x-npz", Content::Any },
    Type{ "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Content::Any },
    Type{ "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Content::Any },
    Type{ "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", Content::Any },
    Type{ "odt", "application/vnd.oasis.opendocument.text", Content::Any },
    Type{ "ods", "application/vnd.oasis.opendocument.spreadsheet", Content::Any },
    Type{ "mp4", "video/mp4", Content::Any },
    Type{ "webm", "video/webm", Content::Any },
    Type{ "mp3", "audio/mpeg", Content::Any },
    Type{ "pkl", "application/x-pickle", Content::Any },
    Type{ "pickle", "application/x-pickle", Content::Any },
    Type{ "tar", "application/x-tar", Content::Any },
};

struct Magic {
    std::size_t offset;
    std::string_view bytes;
    std::string_view mime;
};

using namespace std::string_view_literals; // for the NULs

constexpr std::array kMagics{
    Magic{ 0, "\x89PNG\r\n\x1a\n"sv, "image/png" },
    Magic{ 0, "\xff\xd8\xff"sv, "image/jpeg" },
    Magic{ 0, "GIF87a"sv, "image/gif" },
    Magic{ 0, "GIF89a"sv, "image/gif" },
    Magic{ 8, "WEBP"sv, "image/webp" },
    Magic{ 8, "WAVE"sv, "audio/wav" },
    Magic{ 0, "BM"sv, "image/bmp" },
    Magic{ 0, "II*\0"sv, "image/tiff" },
    Magic{ 0, "MM\0*"sv, "image/tiff" },
    Magic{ 0, "%PDF-"sv, "application/pdf" },
    Magic{ 0, "PAR1"sv, "application/vnd.apache.parquet" },
    Magic{ 0, "ARROW1\0\0"sv, "application/vnd.apache.arrow.file" },
    Magic{ 0, "\x93NUMPY"sv, "application/x-npy" },
    Magic{ 0, "PK\x03\x04"sv, kZip },
    Magic{ 0, "PK\x05\x06"sv, kZip },
    Magic{ 0, "\x1f\x8b"sv, "application/gzip" },
    Magic{ 0, "BZh"sv, "application/x-bzip2" },
    Magic{ 0,
           "\xfd"
           "7zXZ\0"sv,
           "application/x-xz" },
    Magic{ 0, "\x28\xb5\x2f\xfd"sv, "application/zstd" },
    Magic{ 0, "SQLite format 3\0"sv, "application/vnd.sqlite3" },
    Magic{ 0, "\x89HDF\r\n\x1a\n"sv, "application/x-hdf5" },
    Magic{ 0,
           "\x7f"
           "ELF"sv,
           "application/x-executable" },
};

// Shorter marks count only if the extension agrees.
constexpr std::size_t kSureMagicBytes = 3;

bool holds(std::string_view bytes, const Magic& magic)
{
    // Marks at an offset belong to RIFF files: their four letters alone may occur in any text.
    return bytes.size() >= magic.offset + magic.bytes.size()
        && (magic.offset == 0 || bytes.starts_with("RIFF"))
        && bytes.substr(magic.offset, magic.bytes.size()) == magic.bytes;
}

bool hasMagicOf(std::string_view bytes, std::string_view mime)
{
    return std::any_of(kMagics.begin(), kMagics.end(),
                       [&](const Magic& magic) { return magic.mime == mime && holds(bytes, magic); });
}

bool looksLikeText(std::string_view bytes, bool wasCut)
{
    if (bytes.find('\0') != std::string_view::npos)
        return false;
    for (int cut = 0; cut < 4; ++cut) { // the last character may be cut
        if (isValidUtf8(bytes))
            return true;
        if (!wasCut || bytes.empty())
            return false;
        bytes.remove_suffix(1);
    }
    return false;
}

const Type* typeByName(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return nullptr;
    std::string extension(name.substr(dot + 1));
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto* const type =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& t) { return t.extension == extension; });
    return type == kTypes.end() ? nullptr : type;
}

std::string_view typeByContent(std::string_view bytes)
{
    for (const Magic& magic : kMagics)
        if (magic.bytes.size() >= kSureMagicBytes && holds(bytes, magic))
            return magic.mime;
    return !bytes.empty() && looksLikeText(bytes, bytes.size() >= kMimeBytes) ? kPlainText : kBinary;
}

} // namespace

std::string mimeType(std::string_view name, std::string_view firstBytes)
{
    firstBytes = firstBytes.substr(0, kMimeBytes);
    const Type* const type = typeByName(name);
    if (type == nullptr)
        return std::string(typeByContent(firstBytes));
    switch (type->content) {
    case Content::Text:
        if (firstBytes.empty() || typeByContent(firstBytes) == kPlainText)
            return std::string(type->mime);
        break;
    case Content::Magic:
        if (hasMagicOf(firstBytes, type->mime))
            return std::string(type->mime);
        break;
    case Content::Any: {
        const std::string_view shown = typeByContent(firstBytes);
        if (shown == kBinary || shown == kZip)
            return std::string(type->mime);
        break;
    }
    }
    return std::string(typeByContent(firstBytes));
}

} // namespace sg::artifacts
