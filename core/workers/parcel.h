#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/result.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace sg::workers {

// A larger text is not sent through Redis, but stored among the contents of artifacts.
inline constexpr std::size_t kLargestInline = 64U << 10U;

// Bytes as a queue holds them: "=" and the bytes, or "#" and the SHA-256 of a content of `blobs`, which both
// sides share. `stop` ends the wait for a place that is slow or away.
Result<std::string> packParcel(const artifacts::BlobStore& blobs, std::string_view bytes,
                               const std::stop_token& stop);
// Errc::NotFound: the content is not in this machine's folder, and what to do; Corrupt: it is no parcel.
Result<std::string> openParcel(const artifacts::BlobStore& blobs, std::string_view parcel,
                               const std::stop_token& stop);

} // namespace sg::workers
