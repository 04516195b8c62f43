#pragma once

#include "core/artifacts/shared_contents.h"
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

// Writes one content into the store. It has one owner and one thread.
class BlobWriter {
public:
    ~BlobWriter(); // without finish(): the temporary file is removed
    BlobWriter(const BlobWriter&) = delete;
    BlobWriter& operator=(const BlobWriter&) = delete;

    Result<void> write(std::string_view bytes);
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    // Returns the hash of the bytes written. The content is then on disk under its hash (with Flush::Later
    // only once the store was flushed). Errc::InvalidArgument: it holds a secret and is not stored.
    Result<std::string> finish();
    // Does the same for a content that has to have this hash. Errc::Corrupt: it has another and is not
    // stored.
    Result<void> finishAs(std::string_view sha256);
    // After finish(): tells whether the content is new in the store.
    [[nodiscard]] bool isNew() const { return m_isNew; }

private:
    friend class BlobStore;
    BlobWriter(std::filesystem::path root, std::filesystem::path temporary, Fd fd, bool flushes);
    void writeBack();
    Result<std::string> place(std::string hash);

    const std::filesystem::path m_root;
    std::filesystem::path m_temporary; // empty once renamed
    const bool m_flushes; // at finish()
    Fd m_fd; // its lock keeps other processes from removing the file
    Sha256 m_hash;
    SecretWatch m_secrets;
    std::uint64_t m_size = 0;
    bool m_isNew = false;
    std::uint64_t m_sentBack = 0; // the kernel was told to write the file up to here
};

// Stores contents by SHA-256: ROOT/ab/cd/<64 hex digits>, mode 0444. ROOT/tmp holds unfinished ones. Any
// thread; several processes may share one folder. With `shared` the folder is the cache of a place that
// several machines share: what it lacks is fetched from there.
class BlobStore {
public:
    // Makes the folder and removes files in ROOT/tmp whose process was killed.
    static Result<BlobStore> open(const std::filesystem::path& root,
                                  std::shared_ptr<SharedContents> shared = nullptr);

    enum class Flush { Each, Later };
    Result<std::unique_ptr<BlobWriter>> begin(Flush flush = Flush::Each) const;
    // When this returns, all blobs finished before are on disk. For many this is cheaper than one by one.
    Result<void> flush() const;
    // Does the same for these blobs: cheaper if they are few and others write to the file system.
    Result<void> flush(const std::vector<std::string>& blobs) const;
    // Tells whether the folder itself has it.
    [[nodiscard]] bool has(std::string_view sha256) const;
    // Brings a content into the folder that it lacks: at most so many bytes. Errc::NotFound: it is nowhere.
    Result<void> fetch(std::string_view sha256, std::uint64_t most = kAnySize,
                       const std::stop_token& stop = {}) const;
    // When this returns, other machines can read the content. Without `shared` it does nothing.
    Result<void> publish(const std::string& sha256, const std::stop_token& stop = {}) const;
    [[nodiscard]] const std::shared_ptr<SharedContents>& shared() const { return m_shared; } // may be null
    // Empty for what is no SHA-256: a name that a hostile database holds never leads out of the folder.
    [[nodiscard]] std::filesystem::path path(std::string_view sha256) const;

    // Feeds the content in pieces to `sink` while hashing it. Errc::NotFound: the blob is gone; Corrupt
    // (after the last piece): it does not match its hash, and the sink must discard what it got. `stop` ends
    // what it is waiting for from the shared place.
    Result<void> read(std::string_view sha256, const std::function<Result<void>(std::string_view)>& sink,
                      const std::stop_token& stop = {}) const;

private:
    BlobStore(std::filesystem::path root, std::shared_ptr<SharedContents> shared)
        : m_root(std::move(root))
        , m_shared(std::move(shared))
    {
    }
    std::filesystem::path m_root;
    // Its uploads end with its last user.
    std::shared_ptr<SharedContents> m_shared;
};

} // namespace sg::artifacts
