#include "core/artifacts/artifact_store.h"

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/artifact_upkeep.h"
#include "core/artifacts/blob_store.h"
#include "core/artifacts/export_file.h"
#include "core/artifacts/mime_type.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/redaction.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace sg::artifacts {
namespace {

constexpr std::size_t kFewFiles =
    16; // at most this many are flushed one by one; for more, the whole file system is

ArtifactId newId()
{
    std::array<char, 12> random{};
    fillRandomBytes(random.data(), random.size());
    return ArtifactId("art_" + toHex({ random.data(), random.size() }));
}

// A file that is being stored and is in no list yet.
class IncomingFile {
public:
    IncomingFile(std::unique_ptr<BlobWriter> blob, Artifact artifact, std::uint64_t maxBytes)
        : m_blob(std::move(blob))
        , m_artifact(std::move(artifact))
        , m_maxBytes(maxBytes)
    {
    }

    Result<void> write(std::string_view bytes)
    {
        if (bytes.size() > m_maxBytes - m_blob->size())
            return Error{ Errc::LimitExceeded,
                          "store " + m_artifact.path + ": larger than the " + std::to_string(m_maxBytes)
                              + " bytes that an artifact may have" };
        if (m_head.size() < kMimeBytes)
            m_head += bytes.substr(0, kMimeBytes - m_head.size());
        auto written = m_blob->write(bytes);
        if (!written)
            return std::move(written.error()).during("store " + m_artifact.path);
        return {};
    }

    // Puts the content in place under its hash.
    Result<Artifact> place()
    {
        m_artifact.size = m_blob->size();
        m_artifact.mime = mimeType(m_artifact.name, m_head);
        auto hash = m_blob->finish();
        if (!hash)
            return std::move(hash.error()).during("store " + m_artifact.path);
        m_artifact.sha256 = std::move(*hash);
        m_artifact.createdAt = isoTime(SystemClock().now());
        return m_artifact;
    }

    [[nodiscard]] const std::string& path() const { return m_artifact.path; }

private:
    std::unique_ptr<BlobWriter> m_blob;
    Artifact m_artifact;
    const std::uint64_t m_maxBytes;
    std::string m_head;
};

class SingleWriter final : public ArtifactWriter {
public:
    SingleWriter(IncomingFile file, const BlobStore& blobs, std::filesystem::path root, ArtifactIndex& index)
        : m_file(std::move(file))
        , m_blobs(blobs)
        , m_root(std::move(root))
        , m_index(index)
    {
    }
    Result<void> write(std::string_view bytes) override { return m_file.write(bytes); }

    // The content is stored before its row: a crash may leave a blob without a row, never the reverse.
    Result<Artifact> finish() override
    {
        const auto lock = StoreLock::take(m_root, StoreLock::Kind::Add); // excludes collect()
        if (!lock)
            return Error(lock.error()).during("store " + m_file.path());
        auto artifact = m_file.place();
        if (!artifact)
            return artifact;
        if (auto promised = promiseAll(m_blobs, { *artifact }); !promised)
            return std::move(promised.error()).during("store " + m_file.path());
        if (auto noted = m_index.insert({ *artifact }); !noted)
            return std::move(noted.error()).during("store " + m_file.path());
        return artifact;
    }

private:
    IncomingFile m_file;
    const BlobStore& m_blobs;
    const std::filesystem::path m_root;
    ArtifactIndex& m_index;
};

using OpenFile = std::function<Result<IncomingFile>(const RelativePath& path, std::int64_t modifiedNs,
                                                    const ArtifactOrigin& origin)>;

class FileArtifactBatch final : public ArtifactBatch {
public:
    FileArtifactBatch(OpenFile open, const BlobStore& blobs, ArtifactIndex& index, StoreLock lock)
        : m_open(std::move(open))
        , m_blobs(blobs)
        , m_index(index)
        , m_lock(std::move(lock))
    {
    }

    Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                  const ArtifactOrigin& origin) override
    {
        auto file = m_open(path, modifiedNs, origin);
        if (!file)
            return std::move(file.error());
        return std::unique_ptr<ArtifactWriter>(std::make_unique<Writer>(std::move(*file), m_finished));
    }

    Result<void> commit() override
    {
        const std::vector<Artifact> finished = std::exchange(m_finished, {});
        if (finished.empty())
            return {};
        const std::string doing = "store " + std::to_string(finished.size()) + " files";
        if (auto flushed = flush(finished); !flushed)
            return std::move(flushed.error()).during(doing);
        if (auto promised = promiseAll(m_blobs, finished); !promised)
            return std::move(promised.error()).during(doing);
        if (auto noted = m_index.insert(finished); !noted)
            return std::move(noted.error()).during(doing);
        return {};
    }

private:
    class Writer final : public ArtifactWriter {
    public:
        Writer(IncomingFile file, std::vector<Artifact>& finished)
            : m_file(std::move(file))
            , m_finished(finished)
        {
        }
        Result<void> write(std::string_view bytes) override { return m_file.write(bytes); }
        Result<Artifact> finish() override
        {
            auto artifact = m_file.place();
            if (artifact)
                m_finished.push_back(*artifact);
            return artifact;
        }

    private:
        IncomingFile m_file;
        std::vector<Artifact>& m_finished;
    };

    [[nodiscard]] Result<void> flush(const std::vector<Artifact>& finished) const
    {
        if (finished.size() > kFewFiles)
            return m_blobs.flush();
        std::vector<std::string> contents;
        for (const Artifact& artifact : finished)
            contents.push_back(artifact.sha256);
        return m_blobs.flush(contents);
    }

    const OpenFile m_open;
    const BlobStore& m_blobs;
    ArtifactIndex& m_index;
    const StoreLock m_lock; // held while the batch lives, so collect() runs before or after it
    std::vector<Artifact> m_finished;
};

class FileArtifactStore final : public ArtifactStore {
public:
    FileArtifactStore(BlobStore blobs, std::filesystem::path root, std::unique_ptr<ArtifactIndex> index,
                      const ArtifactStoreOptions& options)
        : m_blobs(std::move(blobs))
        , m_root(std::move(root))
        , m_index(std::move(index))
        , m_options(options)
    {
    }

    Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                  const ArtifactOrigin& origin) override
    {
        auto file = open(path, modifiedNs, origin, BlobStore::Flush::Each);
        if (!file)
            return std::move(file.error());
        return std::unique_ptr<ArtifactWriter>(
            std::make_unique<SingleWriter>(std::move(*file), m_blobs, m_root, *m_index));
    }

    Result<std::unique_ptr<ArtifactBatch>> beginBatch() override
    {
        auto lock = StoreLock::take(m_root, StoreLock::Kind::Add);
        if (!lock)
            return std::move(lock.error()).during("store files");
        const auto openFile = [this](const RelativePath& path, std::int64_t modifiedNs,
                                     const ArtifactOrigin& origin) {
            return open(path, modifiedNs, origin, BlobStore::Flush::Later);
        };
        return std::unique_ptr<ArtifactBatch>(
            std::make_unique<FileArtifactBatch>(openFile, m_blobs, *m_index, std::move(*lock)));
    }

    Result<std::vector<Artifact>> list(const ArtifactFilter& filter) override
    {
        return m_index->list(filter);
    }
    Result<Artifact> find(const ArtifactId& id) override { return m_index->find(id); }
    [[nodiscard]] std::filesystem::path blobPath(const Artifact& artifact) const override
    {
        return m_blobs.path(artifact.sha256);
    }

    Result<void> fetch(const Artifact& artifact, const std::stop_token& stop) override
    {
        auto fetched = m_blobs.fetch(artifact.sha256, artifact.size, stop);
        return fetched ? Result<void>()
                       : Result<void>(std::move(fetched.error()).during("artifact " + artifact.name));
    }
    [[nodiscard]] const BlobStore& contents() const override { return m_blobs; }

    Result<ArtifactCheck> verify(const std::function<bool(const ArtifactCheck&)>& progress) override
    {
        return verifyAll(*m_index, m_blobs, progress);
    }
    Result<void> remove(const std::vector<ArtifactId>& ids) override { return m_index->remove(ids); }
    Result<ArtifactGarbage> collect(const CollectOptions& options) override
    {
        auto garbage = collectAll(*m_index, m_blobs, m_root, options, SystemClock().now());
        if (!garbage || m_blobs.shared() == nullptr || !options.collectsShared)
            return garbage;
        auto shared = collectShared(*m_index, *m_blobs.shared(), m_root, options, garbage->expired);
        if (!shared)
            return std::move(shared.error());
        garbage->shared = *shared;
        return garbage;
    }

    Result<std::string> read(const Artifact& artifact, std::size_t limit) override
    {
        if (auto fetched = fetch(artifact, {}); !fetched)
            return std::move(fetched.error());
        std::string content;
        const auto done = m_blobs.read(artifact.sha256, [&](std::string_view bytes) -> Result<void> {
            if (content.size() + bytes.size() > limit)
                return Error{ Errc::LimitExceeded, "larger than " + std::to_string(limit) + " bytes" };
            content += bytes;
            return {};
        });
        if (!done)
            return Error(done.error()).during("artifact " + artifact.name);
        return content;
    }

    Result<std::filesystem::path> exportTo(const Artifact& artifact,
                                           const std::filesystem::path& folder) override
    {
        if (auto fetched = fetch(artifact, {}); !fetched)
            return std::move(fetched.error()).during("export " + artifact.name);
        auto file = ExportFile::create(folder);
        if (!file)
            return std::move(file.error()).during("export " + artifact.name);
        const auto copied =
            m_blobs.read(artifact.sha256, [&](std::string_view bytes) { return file->write(bytes); });
        if (!copied)
            return Error(copied.error()).during("export " + artifact.name);
        auto placed = file->finish(exportName(artifact.name), artifact.modifiedNs);
        if (!placed)
            return std::move(placed.error()).during("export " + artifact.name);
        return placed;
    }

private:
    [[nodiscard]] Result<IncomingFile> open(const RelativePath& path, std::int64_t modifiedNs,
                                            const ArtifactOrigin& origin, BlobStore::Flush flush) const
    {
        if (holdsSecret(path.text())) // the name would appear in every list
            return Error{ Errc::InvalidArgument, "its name holds a secret; give it another" };
        auto blob = m_blobs.begin(flush);
        if (!blob)
            return std::move(blob.error()).during("store " + path.text());
        Artifact artifact;
        artifact.id = newId();
        artifact.path = path.text();
        artifact.name = path.name();
        artifact.modifiedNs = modifiedNs;
        artifact.origin = origin;
        return IncomingFile(std::move(*blob), std::move(artifact), m_options.maxFileBytes);
    }

    const BlobStore m_blobs;
    const std::filesystem::path m_root;
    const std::unique_ptr<ArtifactIndex> m_index;
    const ArtifactStoreOptions m_options;
};

// A folder that is new to the place names what its artifacts have there.
Result<void> tellAll(ArtifactIndex& index, SharedContents& shared)
{
    if (shared.hasNamed())
        return {};
    const auto all = index.list({});
    if (!all)
        return all.error();
    std::vector<std::string> lines;
    for (const Artifact& artifact : *all)
        lines.push_back(sharedLine(artifact));
    return shared.tell(lines);
}

} // namespace

std::string sharedLine(const Artifact& artifact)
{
    return toJson(Value::map({ { "sha256", artifact.sha256 },
                               { "id", artifact.id.value },
                               { "path", artifact.path },
                               { "size", static_cast<std::int64_t>(artifact.size) },
                               { "mime", artifact.mime },
                               { "created_at", artifact.createdAt },
                               { "modified_ns", artifact.modifiedNs },
                               { "thread_id", artifact.origin.thread.value },
                               { "run_id", artifact.origin.run.value },
                               { "session_id", artifact.origin.session.value },
                               { "node", artifact.origin.node.value },
                               { "task_id", artifact.origin.task.value },
                               { "checkpoint_id", artifact.origin.checkpoint.value },
                               { "step", artifact.origin.step } }));
}

Result<std::unique_ptr<ArtifactStore>> openArtifactStore(const std::filesystem::path& database,
                                                         const std::filesystem::path& blobs,
                                                         const ArtifactStoreOptions& options)
{
    auto contents = BlobStore::open(blobs, options.shared);
    if (!contents)
        return std::move(contents.error()).during("open the artifacts");
    auto index = ArtifactIndex::open(database);
    if (!index)
        return std::move(index.error()).during("open the artifacts");
    if (options.shared != nullptr)
        if (auto told = tellAll(**index, *options.shared); !told)
            return std::move(told.error()).during("open the artifacts");
    return std::unique_ptr<ArtifactStore>(
        std::make_unique<FileArtifactStore>(std::move(*contents), blobs, std::move(*index), options));
}

} // namespace sg::artifacts
