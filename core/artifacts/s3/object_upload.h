#pragma once

#include "core/artifacts/s3/s3_client.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::artifacts::s3 {

// An upload in parts that has begun.
struct OpenUpload {
    std::string id;
    std::uint64_t partBytes = 0;
    std::map<int, std::string> parts; // number → SHA-256 of what was sent; not in note()
};

// Remembers uploads in parts across ends of the program.
class UploadNotes {
public:
    virtual ~UploadNotes() = default;
    virtual Result<std::optional<OpenUpload>> find(const std::string& key) = 0;
    virtual Result<void> note(const std::string& key, const OpenUpload& upload) = 0;
    virtual Result<void> notePart(const std::string& key, int number, const std::string& sha256) = 0;
    virtual Result<void> forget(const std::string& key) = 0;
};

struct UploadOptions {
    std::uint64_t partBytes = 8U << 20; // a larger file goes in parts; at least 5 MiB with AWS
    std::function<void(std::uint64_t bytes)> progress; // bytes that the service has taken. May be empty
    bool hasCompared = false; // an object of the right size that has the key is known to have the content
    bool replaces = false; // an object that has the key already is written anew, so that it is young again
};

// Brings a file whose SHA-256 is known to a key, in at most one part's memory. The service checks each part
// against the hash that its request is signed with; all parts together are checked here before they become an
// object. An upload that was broken off goes on behind the parts that the service has and that were sent from
// the same bytes. An object that has the key already stays if it has the content, which is read unless that
// was done before. Errc::Corrupt: the file does not match its hash.
Result<void> uploadFile(S3Client& client, const std::string& key, const std::filesystem::path& file,
                        const std::string& sha256, UploadNotes& notes, const UploadOptions& options,
                        const std::stop_token& stop);

} // namespace sg::artifacts::s3
