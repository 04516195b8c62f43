#include "core/artifacts/s3/object_upload.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

constexpr std::uint64_t kMostParts = 9000; // S3 takes 10,000
constexpr std::uint64_t kWholeMiB = 1U << 20;

Error damaged(const std::filesystem::path& file)
{
    return { Errc::Corrupt,
             file.string() + ": the content does not match its SHA-256; it was changed or damaged" };
}

class FileParts {
public:
    static Result<FileParts> open(const std::filesystem::path& path)
    {
        Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        struct stat info { };
        if (!fd.isOpen() || ::fstat(fd.get(), &info) != 0)
            return errnoError(errno, "read " + path.string());
        if (!S_ISREG(info.st_mode))
            return damaged(path);
        return FileParts(path, std::move(fd), static_cast<std::uint64_t>(info.st_size));
    }
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    // The next part; shorter than `bytes` at the end alone.
    Result<std::string> next(std::uint64_t bytes)
    {
        std::string part(static_cast<std::size_t>(bytes), '\0');
        std::size_t filled = 0;
        while (filled < part.size()) {
            const ssize_t got = ::read(m_fd.get(), part.data() + filled, part.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return errnoError(errno, "read " + m_path.string());
            if (got == 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        part.resize(filled);
        return part;
    }

private:
    FileParts(std::filesystem::path path, Fd fd, std::uint64_t size)
        : m_path(std::move(path))
        , m_fd(std::move(fd))
        , m_size(size)
    {
    }
    std::filesystem::path m_path;
    Fd m_fd;
    std::uint64_t m_size;
};

// One file on its way; its members are what all steps need.
class Upload {
public:
    Upload(S3Client& client, const std::string& key, FileParts file, const std::string& sha256,
           UploadNotes& notes, const UploadOptions& options, const std::stop_token& stop)
        : m_client(client)
        , m_key(key)
        , m_file(std::move(file))
        , m_sha256(sha256)
        , m_notes(notes)
        , m_options(options)
        , m_stop(stop)
        , m_ifThere(options.replaces ? S3Client::IfThere::Replace : S3Client::IfThere::Keep)
    {
    }

    Result<void> whole()
    {
        const auto body = m_file.next(m_file.size());
        if (!body)
            return body.error();
        if (sha256Hex(*body) != m_sha256)
            return damaged(m_file.path());
        const auto put = m_client.put(m_key, *body, m_sha256, m_ifThere, m_stop);
        if (!put)
            return put.error();
        if (*put) {
            tell(body->size());
            return {};
        }
        const auto isThere = isWhole();
        if (!isThere)
            return isThere.error();
        if (*isThere)
            return {};
        const auto again = m_client.put(m_key, *body, m_sha256, m_ifThere, m_stop);
        return again ? Result<void>() : Result<void>(again.error());
    }

    Result<void> inParts()
    {
        const auto isThere = m_options.replaces ? Result<bool>(false) : isWhole();
        if (!isThere || *isThere)
            return isThere ? Result<void>() : Result<void>(isThere.error());
        auto upload = openOne();
        if (!upload)
            return std::move(upload.error());
        auto sent = send(*upload);
        if (!sent && sent.error().code == Errc::Corrupt) // no part of it may become an object
            static_cast<void>(end(*upload));
        return sent;
    }

private:
    void tell(std::uint64_t bytes) const
    {
        if (m_options.progress)
            m_options.progress(bytes);
    }

    Result<bool> isWhole()
    {
        const auto size = m_client.sizeOf(m_key, m_stop);
        if (!size)
            return size.error();
        // An object of another size is no upload of this content, or was cut off: it is replaced.
        const bool isSized = *size == m_file.size();
        const auto isRight = isSized && !m_options.hasCompared ? hasContent() : Result<bool>(isSized);
        if (!isRight)
            return isRight;
        // One of this size with other bytes was damaged, or put there by somebody else: it is replaced, too.
        m_ifThere = *size && !*isRight ? S3Client::IfThere::Replace : S3Client::IfThere::Keep;
        return *isRight;
    }

    Result<bool> hasContent()
    {
        Sha256 hash;
        const auto read = m_client.get(
            m_key, m_file.size(),
            [&](std::string_view piece) -> Result<void> {
                hash.update(piece);
                return {};
            },
            m_stop);
        return read ? Result<bool>(hash.finishHex() == m_sha256) : Result<bool>(read.error());
    }

    // The upload that was broken off, with its parts, or a new one.
    Result<OpenUpload> openOne()
    {
        auto noted = m_notes.find(m_key);
        if (!noted)
            return std::move(noted.error());
        if (*noted) {
            auto parts = m_client.listParts(m_key, (*noted)->id, m_stop);
            if (parts) {
                m_parts = std::move(*parts);
                std::ranges::sort(m_parts, {}, &S3Part::number);
                return std::move(**noted);
            }
            if (parts.error().code != Errc::NotFound)
                return std::move(parts.error());
        }
        const std::uint64_t least = (m_file.size() + kMostParts - 1) / kMostParts;
        OpenUpload made{ {},
                         std::max(m_options.partBytes, (least + kWholeMiB - 1) / kWholeMiB * kWholeMiB),
                         {} };
        auto id = m_client.beginUpload(m_key, m_stop);
        if (!id)
            return std::move(id.error());
        made.id = std::move(*id);
        if (auto written = m_notes.note(m_key, made); !written)
            return std::move(written.error());
        return made;
    }

    Result<void> send(const OpenUpload& upload)
    {
        std::vector<S3Part> sent;
        Sha256 hash;
        for (std::uint64_t begin = 0; begin < m_file.size(); begin += upload.partBytes) {
            const auto body = m_file.next(std::min(upload.partBytes, m_file.size() - begin));
            if (!body)
                return body.error();
            hash.update(*body);
            const auto number = static_cast<int>(begin / upload.partBytes) + 1;
            auto part = sendPart(upload, number, *body);
            if (!part)
                return std::move(part.error());
            sent.push_back(std::move(*part));
            tell(body->size());
        }
        if (hash.finishHex() != m_sha256)
            return damaged(m_file.path());
        const auto done = m_client.completeUpload(m_key, upload.id, sent, m_ifThere, m_stop);
        if (done && *done)
            return m_notes.forget(m_key);
        return settle(upload, done ? Error{ Errc::Conflict, {} } : done.error());
    }

    Result<S3Part> sendPart(const OpenUpload& upload, int number, const std::string& body)
    {
        const std::string sha256 = sha256Hex(body);
        const auto known = std::ranges::find(m_parts, number, &S3Part::number);
        const auto noted = upload.parts.find(number);
        if (known != m_parts.end() && known->size == body.size() && !known->etag.empty()
            && noted != upload.parts.end() && noted->second == sha256)
            return *known;
        auto part = m_client.putPart(m_key, upload.id, number, body, sha256, m_stop);
        if (!part)
            return part;
        if (auto written = m_notes.notePart(m_key, number, sha256); !written)
            return std::move(written.error());
        return part;
    }

    // Another machine may have been faster, and an answer may have been lost after the parts had become an
    // object: then the object is there.
    Result<void> settle(const OpenUpload& upload, const Error& failure)
    {
        if (failure.code != Errc::Conflict && failure.code != Errc::NotFound)
            return failure;
        const auto isThere = isWhole();
        if (!isThere)
            return isThere.error();
        if (auto ended = end(upload); !ended)
            return ended;
        if (*isThere)
            return {};
        return Error{ Errc::Unavailable,
                      m_client.address().place() + ": PUT " + m_key
                          + ": the upload was ended by somebody else" };
    }

    Result<void> end(const OpenUpload& upload)
    {
        if (auto forgotten = m_notes.forget(m_key); !forgotten)
            return forgotten;
        return m_client.abortUpload(m_key, upload.id, m_stop);
    }

    S3Client& m_client;
    const std::string& m_key;
    FileParts m_file;
    const std::string& m_sha256;
    UploadNotes& m_notes;
    const UploadOptions& m_options;
    const std::stop_token& m_stop;
    std::vector<S3Part> m_parts; // that the service has
    S3Client::IfThere m_ifThere;
};

} // namespace

Result<void> uploadFile(S3Client& client, const std::string& key, const std::filesystem::path& path,
                        const std::string& sha256, UploadNotes& notes, const UploadOptions& options,
                        const std::stop_token& stop)
{
    auto file = FileParts::open(path);
    if (!file)
        return std::move(file.error());
    const bool isSmall = file->size() <= options.partBytes;
    Upload upload(client, key, std::move(*file), sha256, notes, options, stop);
    return isSmall ? upload.whole() : upload.inParts();
}

} // namespace sg::artifacts::s3
