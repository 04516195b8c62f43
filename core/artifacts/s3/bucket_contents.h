#pragma once

#include "core/artifacts/blob_store.h"
#include "core/artifacts/s3/bucket.h"
#include "core/artifacts/s3/s3_client.h"
#include "core/artifacts/s3/upload_ledger.h"
#include "core/artifacts/shared_contents.h"

#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace sg::artifacts::s3 {

struct BucketOptions {
    std::uint64_t cacheBytes = 4ULL << 30; // of contents that are in the bucket; what waits is kept, too
    std::uint64_t mostBytes = 4ULL << 30; // of a content whose size nobody knows
    int uploads = 8; // at a time
    S3ClientOptions client;
    UploadOptions upload;
};

// A bucket as the shared place of a folder of contents. A content is first stored in the folder, and noted
// there as waiting in the same breath; then it is uploaded beside the run. A run does not fail, and waits for
// nothing, because a service is slow or away, and what it left is lost in no case: where the upload does not
// succeed while the program lives, the next one goes on with it. What has to be read by others at once
// (publish()) is waited for. Any thread.
class BucketContents final : public SharedContents {
public:
    static Result<std::shared_ptr<SharedContents>> open(const std::filesystem::path& folder,
                                                        BucketAddress address, S3Client::FindAccess find,
                                                        const BucketOptions& options = {});
    ~BucketContents() override;

    [[nodiscard]] std::string place() const override { return m_address.place(); }
    Result<void> check() override;
    Result<void> promise(const std::vector<Named>& contents) override;
    [[nodiscard]] bool hasNamed() override { return m_ledger->hasNamed(); }
    Result<void> tell(const std::vector<std::string>& lines) override { return m_ledger->tell(lines); }
    Result<void> publish(const std::string& sha256, const std::stop_token& stop) override;
    Result<void> fetch(const std::string& sha256, std::uint64_t most, const std::stop_token& stop) override;
    void used(const std::string& sha256) override;
    [[nodiscard]] bool hasCompared(const std::string& sha256) override;
    Result<UploadState> waiting() override;
    Result<UploadState> settle(const Progress& progress, const std::stop_token& stop) override;
    Result<void> forgetUnwanted(const std::function<bool(const std::string&)>& isWanted) override
    {
        return m_ledger->dropUnwanted(isWanted);
    }
    Result<void> eachContent(const std::function<Result<void>(const std::string&, std::uint64_t)>& take,
                             const std::stop_token& stop) override;
    Result<std::vector<std::string>> told(const std::stop_token& stop) override;
    Result<SharedGarbage> collect(const Collect& wanted, const std::stop_token& stop) override;
    Result<void> leave(const std::stop_token& stop) override;

private:
    BucketContents(BlobStore local, BucketAddress address, S3Client::FindAccess find,
                   const BucketOptions& options, std::unique_ptr<UploadLedger> ledger);
    Result<S3Client*> client();
    void wake();
    void work(const std::stop_token& stop);
    Result<void> drain(const std::stop_token& stop);
    Result<void> tellLines(const std::stop_token& stop);
    Result<void> waitAfterTelling(const std::stop_token& stop);
    [[nodiscard]] bool isFileAtFault(const std::string& sha256, const Error& failure) const;
    Result<void> keepStuck(const LedgerContent& content, const Error& failure);
    Result<void> uploadAll(const std::vector<LedgerContent>& contents, const std::stop_token& stop);
    Result<void> uploadOne(const LedgerContent& content, const std::stop_token& stop);
    Result<void> bring(const std::string& sha256, std::uint64_t most, const std::stop_token& stop);
    void trim(const std::string& kept);

    // constant after construction
    const BlobStore m_local;
    const BucketAddress m_address;
    const S3Client::FindAccess m_find;
    const BucketOptions m_options;
    const std::unique_ptr<UploadLedger> m_ledger; // has its own lock

    std::mutex m_clientMutex;
    std::unique_ptr<S3Client> m_client; // made once, guarded by m_clientMutex

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // guarded by m_mutex:
    bool m_hasWork = false;
    std::int64_t m_rounds = 0; // attempts that have ended
    std::string m_fault; // of the last one
    std::set<std::string> m_fetching;
    std::map<std::string, std::string> m_stuck; // hash → why
    std::int64_t m_waitedAfter = -1; // so many tellings, for who collects
    std::jthread m_worker; // started at the first work; its own lock is m_mutex
};

} // namespace sg::artifacts::s3
