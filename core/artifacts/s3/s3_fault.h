#pragma once

#include "core/artifacts/s3/bucket_address.h"
#include "core/base/result.h"
#include "core/net/http_client.h"

#include <chrono>
#include <optional>
#include <string>

namespace sg::artifacts::s3 {

// The reason why a request to an S3 service did not do what it should.
struct S3Fault {
    Error error{ Errc::Io, {} }; // in the service's own words, with what to do about it
    std::string code{}; // the service's: "SlowDown"; empty: the connection failed
    bool passes = false; // the same request may succeed a moment later
    std::chrono::milliseconds retryAfter{ 0 }; // as the service asks
    std::string region{}; // the bucket's, if the service says that the request went to another
};

// nullopt: the answer is that of success. `what` is the request for messages: "PUT contents/ab". A success
// status with an error in its body is a fault, too: S3 begins some answers before it knows how they end.
std::optional<S3Fault> faultOf(const BucketAddress& address, const std::string& what,
                               const Result<net::HttpResponse>& answer);

} // namespace sg::artifacts::s3
