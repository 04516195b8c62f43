#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace sg::artifacts::s3 {

// A place in an S3 service, as a person writes it:
//   s3://BUCKET[/PREFIX][?region=R&endpoint=URL&path_style=yes|no&profile=P&ca=FILE]
// Parts that the address leaves out come from the AWS variables and files (aws_access.h).
struct BucketAddress {
    std::string bucket;
    std::string prefix; // "" or "team/project": without slashes at its ends
    std::string region;
    std::string endpoint; // "https://minio.example:9000"; "": AWS's own
    std::optional<bool> pathStyle; // nullopt: as the endpoint needs it
    std::string profile;
    std::string authorities; // a PEM file for TLS
    // No part takes a quote, a dollar sign, a backslash or a line break, so that an address can be told in
    // single quotes as one word of a shell, and stand in double quotes in an env file.

    // "s3://BUCKET/PREFIX", for messages.
    [[nodiscard]] std::string place() const;
};

// Tells whether a text is meant as such an address and not as a folder.
bool isBucketAddress(std::string_view text);

// Errc::InvalidArgument says which part is wrong. Keys do not belong into an address and are refused.
Result<BucketAddress> parseBucketAddress(std::string_view text);

} // namespace sg::artifacts::s3
