#include "core/artifacts/s3/s3_fault.h"

#include "core/artifacts/s3/xml_tree.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sg::artifacts::s3 {
namespace {

constexpr std::size_t kLongestSaid = 300;
constexpr long kLongestRetryAfter = 60;

struct Said {
    std::string code;
    std::string message;
    std::string region;
    std::string clocks; // "; the service's clock says …"
};

Said saidIn(const net::HttpResponse& answer)
{
    Said said;
    said.region = answer.header("x-amz-bucket-region");
    if (answer.body.find("<Error") == std::string::npos)
        return said;
    const auto parsed = parseXml(answer.body);
    if (!parsed || parsed->name != "Error")
        return said;
    said.code = printableText(parsed->textOf("Code").substr(0, 64));
    said.message = printableText(parsed->textOf("Message").substr(0, kLongestSaid));
    if (const std::string region = parsed->textOf("Region"); !region.empty())
        said.region = region;
    const std::string ours = parsed->textOf("RequestTime");
    const std::string theirs = parsed->textOf("ServerTime");
    if (!ours.empty() && !theirs.empty())
        said.clocks = ": this machine says " + printableText(ours.substr(0, 32)) + ", the service "
            + printableText(theirs.substr(0, 32));
    return said;
}

// A name that may stand in a message as advice.
bool isRegionName(const std::string& text)
{
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-';
    });
}

struct Meaning {
    Errc code;
    std::string advice;
};

Meaning meaningOf(int status, const Said& said, const BucketAddress& address)
{
    const std::string& code = said.code;
    if (code == "RequestTimeTooSkewed")
        return { Errc::PermissionDenied,
                 "the clocks differ too much" + said.clocks + ". Set this machine's clock" };
    if (code == "NoSuchBucket")
        return { Errc::Unavailable,
                 "make it (aws s3 mb s3://" + address.bucket + "), or correct the address or its endpoint" };
    if (isRegionName(said.region) && (status == 301 || status == 307 || status == 400))
        return { Errc::InvalidArgument,
                 "the bucket is in " + said.region + ": set AWS_REGION=" + said.region + ", or write s3://"
                     + address.bucket + "…?region=" + said.region };
    if (code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch")
        return { Errc::PermissionDenied,
                 "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile in ~/.aws/credentials" };
    if (code == "ExpiredToken" || code == "InvalidToken")
        return { Errc::PermissionDenied, "these keys were temporary: get new ones" };
    if (status == 401 || status == 403)
        return {
            Errc::PermissionDenied,
            "the key needs s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject, "
            "s3:AbortMultipartUpload and s3:ListMultipartUploadParts on its objects"
        };
    if (status == 404)
        return { Errc::NotFound, {} };
    if (status == 412 || status == 409)
        return { Errc::Conflict, {} };
    if (status == 429 || status >= 500)
        return { Errc::Unavailable, {} };
    if (status >= 300 && status < 400)
        return { Errc::InvalidArgument, "redirects are not followed: correct the endpoint or the region" };
    return { Errc::Io, {} };
}

bool passesSoon(int status, const std::string& code)
{
    constexpr std::array<std::string_view, 6> kPassing{ "RequestTimeout",      "SlowDown",
                                                        "ThrottlingException", "OperationAborted",
                                                        "InternalError",       "ConditionalRequestConflict" };
    if (status == 501)
        return false;
    return status == 408 || status == 429 || status >= 500
        || std::ranges::find(kPassing, code) != kPassing.end();
}

std::chrono::milliseconds retryAfterOf(const net::HttpResponse& answer)
{
    const std::string text = answer.header("retry-after");
    long count = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (failed != std::errc() || end != text.data() + text.size())
        return std::chrono::milliseconds(0);
    return std::chrono::seconds(std::clamp(count, 0L, kLongestRetryAfter));
}

S3Fault brokenConnection(const BucketAddress& address, const std::string& what, const Error& error)
{
    S3Fault fault{ .error = Error(error).during(address.place() + ": " + what) };
    fault.passes = error.code == Errc::Unavailable || error.code == Errc::Timeout || error.code == Errc::Io;
    if (error.code == Errc::PermissionDenied)
        fault.error.message += ". Name the authority of its certificate by AWS_CA_BUNDLE, or ?ca=FILE";
    return fault;
}

} // namespace

std::optional<S3Fault> faultOf(const BucketAddress& address, const std::string& what,
                               const Result<net::HttpResponse>& answer)
{
    if (!answer)
        return brokenConnection(address, what, answer.error());
    const bool isSuccess = answer->status >= 200 && answer->status < 300;
    const Said said = saidIn(*answer);
    if (isSuccess && said.code.empty())
        return std::nullopt;
    const Meaning meaning = meaningOf(answer->status, said, address);
    S3Fault fault;
    fault.code = said.code;
    fault.error = { meaning.code,
                    address.place() + ": " + what + ": " + std::to_string(answer->status)
                        + (said.code.empty() ? "" : ' ' + said.code)
                        + (said.message.empty() ? "" : ": " + said.message)
                        + (meaning.advice.empty() ? "" : " (" + meaning.advice + ")") };
    fault.passes = passesSoon(answer->status, said.code) || isSuccess;
    fault.retryAfter = retryAfterOf(*answer);
    if (isRegionName(said.region))
        fault.region = said.region;
    return fault;
}

} // namespace sg::artifacts::s3
