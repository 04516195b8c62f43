#include "core/workers/parcel.h"

#include "core/base/hash.h"

namespace sg::workers {

namespace {
constexpr std::size_t kLargest = 1U << 30U;
}

Result<std::string> packParcel(const artifacts::BlobStore& blobs, std::string_view bytes,
                               const std::stop_token& stop)
{
    if (bytes.size() <= kLargestInline)
        return "=" + std::string(bytes);
    auto writer = blobs.begin();
    if (!writer)
        return std::move(writer.error());
    if (auto written = (*writer)->write(bytes); !written)
        return std::move(written.error());
    auto stored = (*writer)->finish();
    if (!stored)
        return std::move(stored.error());
    // The other side may be another machine, and asks for it at once.
    if (auto published = blobs.publish(*stored, stop); !published)
        return std::move(published.error());
    return "#" + *stored;
}

Result<std::string> openParcel(const artifacts::BlobStore& blobs, std::string_view parcel,
                               const std::stop_token& stop)
{
    if (parcel.starts_with('='))
        return std::string(parcel.substr(1));
    const std::string_view hash = parcel.starts_with('#') ? parcel.substr(1) : std::string_view();
    if (!isSha256Hex(hash))
        return Error{ Errc::Corrupt, "what the queue holds is no task of this program" };
    std::string bytes;
    const auto read = blobs.read(
        hash,
        [&](std::string_view piece) -> Result<void> {
            if (bytes.size() + piece.size() > kLargest)
                return Error{ Errc::LimitExceeded, "a task or its result is larger than 1 GiB" };
            bytes += piece;
            return {};
        },
        stop);
    if (!read && read.error().code == Errc::NotFound && blobs.shared() == nullptr)
        return Error{
            Errc::NotFound,
            "the content " + std::string(hash)
                + " is not in this machine's folder of artifacts. Runs and workers on several machines need "
                  "one that they share: --blobs s3://BUCKET, or a folder, on both sides"
        };
    if (!read)
        return read.error();
    return bytes;
}

} // namespace sg::workers
