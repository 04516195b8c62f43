#pragma once

#include "core/base/child_process.h"
#include "core/base/hash.h"
#include "core/base/redaction.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sg::artifacts {

// One content on its way into the store. One owner, one thread.
class BlobWriter {
public:
    ~BlobWriter(); // without finish(): the temporary file is removed
    BlobWriter(const BlobWriter&) = delete;
    BlobWriter& operator=(const BlobWriter&) = delete;

    Result<void> write(std::string_view bytes);
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    // On disk, named by its hash, when this returns (with Flush::Later: once the store was flushed). The hash
    // is what was written, never what a later read of the source would give. Errc::InvalidArgument: it holds
    // a secret, and is not stored.
    Result<std::string> finish();
    // Once finished: no such content was there before.
    [[nodiscard]] bool isNew() const { return m_isNew; }

private:
    friend class BlobStore;
    BlobWriter(std::filesystem::path root, std::filesystem::path temporary, Fd fd, bool flushes);
    void writeBack();

    const std::filesystem::path m_root;
    std::filesystem::path m_temporary; // empty once renamed
    const bool m_flushes; // at finish()
    Fd m_fd; // holds the lock that keeps sweeping away
    Sha256 m_hash;
    SecretWatch m_secrets;
    std::uint64_t m_size = 0;
    bool m_isNew = false;
    std::uint64_t m_sentBack = 0; // so far the kernel was told to write to the disk
};

// Contents under their SHA-256: ROOT/ab/cd/<64 hex digits>, mode 0444; ROOT/tmp holds what is being written.
// Any thread; several processes may share one folder.
class BlobStore {
public:
    // Makes the folder and removes what a killed process left in ROOT/tmp.
    static Result<BlobStore> open(const std::filesystem::path& root);

    enum class Flush { Each, Later };
    Result<std::unique_ptr<BlobWriter>> begin(Flush flush = Flush::Each) const;
    // All that was finished before is on disk when this returns: cheaper than one by one for many.
    Result<void> flush() const;
    // The same of these alone: cheaper where they are few, and others write to that file system too.
    Result<void> flush(const std::vector<std::string>& blobs) const;
    [[nodiscard]] bool has(std::string_view sha256) const;
    [[nodiscard]] std::filesystem::path path(std::string_view sha256) const;

    // Feeds the whole content to `sink` in pieces while hashing it. Errc::NotFound where the blob is gone,
    // Corrupt (after the last piece) where its content is not what its name says: what the sink got is
    // worthless then.
    Result<void> read(std::string_view sha256,
                      const std::function<Result<void>(std::string_view)>& sink) const;

private:
    explicit BlobStore(std::filesystem::path root)
        : m_root(std::move(root))
    {
    }
    std::filesystem::path m_root;
};

} // namespace sg::artifacts
