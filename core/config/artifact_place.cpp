#include "core/config/artifact_place.h"

#include "core/artifacts/s3/bucket_contents.h"
#include "core/base/file.h"
#include "core/base/user_folders.h"
#include "core/config/placed_project.h"
#include "core/config/session_settings.h"
#include "core/settings/consent_file.h"

#include <cmath>
#include <utility>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

constexpr std::string_view kNoBucket = "none";
constexpr double kBytesOfMiB = 1 << 20;

// Returns the address as one word of a command line. An address holds no quotes (parseBucketAddress()).
std::string inShell(const std::string& address)
{
    const bool isPlain = address.find_first_of("?&=%~+,@[] ") == std::string::npos;
    return isPlain ? address : '\'' + address + '\'';
}

settings::ConsentFile allowedBuckets()
{
    const fs::path data = userDataFolder();
    return settings::ConsentFile(data.empty() ? data : data / "sandglass" / "allowed_buckets");
}

} // namespace

Result<std::string> bucketAddress(const projects::ProjectPaths& project, const MergedSettings& settings)
{
    const auto found = settings.values.find(std::string_view("bucket"));
    if (found == settings.values.end() || found->second.text == kNoBucket)
        return std::string();
    const std::string& address = found->second.text;
    if (auto parsed = artifacts::s3::parseBucketAddress(address); !parsed)
        return std::move(parsed.error()).during(found->second.from);
    if (found->second.isThisUsers()
        || allowedBuckets().has(settings::ConsentFile::mark(project.folder, address)))
        return address;
    return Error{ Errc::PermissionDenied,
                  found->second.from + ": this project keeps its artifacts in " + address
                      + ", and you have not allowed that yet. If it may use your keys there, say so with: "
                        "sandglass storage move --blobs "
                      + inShell(address) };
}

bool isSameBucket(const std::string& one, const std::string& other)
{
    const auto first = artifacts::s3::parseBucketAddress(one);
    const auto second = artifacts::s3::parseBucketAddress(other);
    if (!first || !second)
        return one == other;
    return first->place() == second->place() && first->endpoint == second->endpoint;
}

Result<std::shared_ptr<artifacts::SharedContents>>
openBucket(const std::string& address, const fs::path& folder, const MergedSettings& settings)
{
    auto parsed = artifacts::s3::parseBucketAddress(address);
    if (!parsed)
        return std::move(parsed.error());
    artifacts::s3::BucketOptions options;
    if (const auto size = settings.number("blobs_mb"))
        options.cacheBytes = static_cast<std::uint64_t>(*size * kBytesOfMiB);
    if (const auto size = settings.number("artifact_mb"))
        options.mostBytes = static_cast<std::uint64_t>(*size * kBytesOfMiB);
    return artifacts::s3::BucketContents::open(
        folder, *parsed,
        [address = *parsed] { return artifacts::s3::findAccess(address, processEnvironment); }, options);
}

Result<std::unique_ptr<artifacts::ArtifactStore>> openArtifacts(const projects::ProjectPaths& project,
                                                                const MergedSettings& settings)
{
    artifacts::ArtifactStoreOptions options = artifactOptions(settings);
    const auto address = bucketAddress(project, settings);
    if (!address)
        return address.error();
    if (!address->empty()) {
        auto shared = openBucket(*address, project.blobs, settings);
        if (!shared)
            return std::move(shared.error());
        options.shared = std::move(*shared);
    }
    return artifacts::openArtifactStore(project.artifacts, project.blobs, options);
}

Result<std::unique_ptr<artifacts::ArtifactStore>> openArtifacts(const projects::ProjectPaths& project,
                                                                const SettingValues& commandLine)
{
    const auto settings = outerSettings(project, {}, processEnvironment, commandLine);
    if (!settings)
        return settings.error();
    const auto placed = placedProject(project, *settings);
    if (!placed)
        return placed.error();
    const auto merged = mergeSettings(*settings);
    if (!merged)
        return merged.error();
    return openArtifacts(*placed, *merged);
}

fs::path notedPlaces(const projects::ProjectPaths& project)
{
    return project.data / "places.env";
}

Result<void> noteBucket(const projects::ProjectPaths& project, const std::string& address)
{
    const fs::path file = notedPlaces(project);
    if (address.empty() || address == kNoBucket) {
        std::error_code failed;
        fs::remove(file, failed);
        if (failed)
            return Error{ Errc::Io, "remove " + file.string() + ": " + failed.message() };
        return {};
    }
    // Quotes, dollar signs and line breaks are no part of an address (parseBucketAddress()).
    if (auto written = writeFileAtomically(
            file,
            "# Where this project's artifacts are; written by sandglass storage move.\nSANDGLASS_BLOBS=\""
                + address + "\"\n");
        !written)
        return written;
    return allowedBuckets().add(settings::ConsentFile::mark(project.folder, address));
}

SettingValues blobsSettings(const std::string& text)
{
    if (text.empty())
        return {};
    const auto value = [&](const char* key, std::string chosen) {
        return SettingValue{ key, std::move(chosen), SettingLayer::CommandLine,
                             "--blobs on the command line" };
    };
    if (artifacts::s3::isBucketAddress(text))
        return { value("bucket", text) };
    if (text == kNoBucket)
        return { value("bucket", text) };
    return { value("bucket", std::string(kNoBucket)), value("blobs", text) };
}

} // namespace sg::config
