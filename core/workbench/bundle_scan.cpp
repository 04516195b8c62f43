#include "core/workbench/bundle_scan.h"

#include "core/checkpoint/thread_rows.h"

#include <fstream>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

Result<void> feedText(exchange::SecretScan& scan, const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ Errc::Io, "read " + path.string() };
    std::string piece(1U << 16, '\0');
    while (file) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        scan.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
    }
    return {};
}

Result<void> feedRows(exchange::SecretScan& scan, const fs::path& path)
{
    return checkpoint::eachThreadRow(path, [&scan](const Value& row) -> Result<void> {
        scan.feedValue(row);
        return {};
    });
}

} // namespace

Result<std::vector<exchange::SecretFinding>> secretsIn(const BundleFiles& files)
{
    exchange::SecretScan scan;
    for (const auto& [name, path] : files) {
        scan.begin(name);
        if (auto fed = name.starts_with("rows/") ? feedRows(scan, path) : feedText(scan, path); !fed)
            return std::move(fed.error());
        scan.end();
    }
    return scan.findings();
}

} // namespace sg::workbench
