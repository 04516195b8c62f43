#include "core/artifacts/s3/bucket_address.h"

#include "core/base/printable.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sg::artifacts::s3 {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr std::size_t kLongest = 2048;
constexpr std::size_t kLongestPrefix = 512;

Error wrong(const std::string& why)
{
    return {
        Errc::InvalidArgument,
        why
            + ". An address is s3://BUCKET/PREFIX, with ?region=, endpoint=, path_style=, profile= or ca= "
              "behind it where the AWS variables and files do not say them"
    };
}

std::string inQuotes(std::string_view text)
{
    return "\"" + printableText(text.substr(0, 80)) + "\"";
}

bool isOf(std::string_view text, std::string_view marks)
{
    return std::ranges::all_of(text, [&](unsigned char each) {
        return (each < 128 && std::isalnum(each) != 0) || marks.find(static_cast<char>(each)) != marks.npos;
    });
}

// The names that S3 gives today: 3 to 63 of a-z, 0-9, "-" and ".", with a letter or digit at both ends.
bool isBucketName(std::string_view name)
{
    const auto isPlain = [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
    };
    return name.size() >= 3 && name.size() <= 63 && isPlain(name.front()) && isPlain(name.back())
        && name.find("..") == name.npos
        && std::ranges::all_of(name, [&](char each) { return isPlain(each) || each == '-' || each == '.'; });
}

// The characters that need no encoding anywhere, so that keys look the same in every tool.
bool isPrefix(std::string_view prefix)
{
    if (prefix.size() > kLongestPrefix)
        return false;
    while (!prefix.empty()) {
        const std::size_t end = std::min(prefix.find('/'), prefix.size());
        const std::string_view part = prefix.substr(0, end);
        if (part.empty() || part == "." || part == ".." || !isOf(part, "-_.~"))
            return false;
        prefix.remove_prefix(std::min(end + 1, prefix.size()));
    }
    return true;
}

std::optional<std::string> decoded(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            plain += text[at];
            continue;
        }
        const std::string digits(text.substr(at + 1, 2));
        if (digits.size() != 2 || std::isxdigit(static_cast<unsigned char>(digits[0])) == 0
            || std::isxdigit(static_cast<unsigned char>(digits[1])) == 0)
            return std::nullopt;
        plain += static_cast<char>(std::stoi(digits, nullptr, 16));
        at += 2;
    }
    return plain;
}

bool isEndpoint(std::string_view text)
{
    const std::size_t start = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
    const std::string_view host = text.substr(start);
    return start != 0 && !host.empty() && host.size() <= 255 && isOf(host, ".-:[]");
}

Result<void> takeOption(BucketAddress& address, std::string_view name, std::string value)
{
    if (name == "region" && isOf(value, "-") && value.size() <= 64)
        address.region = std::move(value);
    else if (name == "endpoint" && isEndpoint(value))
        address.endpoint = std::move(value);
    else if (name == "path_style" && (value == "yes" || value == "no"))
        address.pathStyle = value == "yes";
    else if (name == "profile" && value.size() <= 128 && isOf(value, "-_.@+ "))
        address.profile = std::move(value);
    else if (name == "ca" && isOf(value, "-_./~+,:=@ "))
        address.authorities = std::move(value);
    else
        return wrong(inQuotes(std::string(name) + '=' + value) + " is no option of a bucket's address");
    return {};
}

Result<void> takeOptions(BucketAddress& address, std::string_view query)
{
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view part = query.substr(0, end);
        const std::size_t equals = std::min(part.find('='), part.size());
        const auto value = decoded(part.substr(std::min(equals + 1, part.size())));
        if (!value || value->empty())
            return wrong(inQuotes(part) + " has no value");
        if (auto taken = takeOption(address, part.substr(0, equals), *value); !taken)
            return taken;
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return {};
}

} // namespace

std::string BucketAddress::place() const
{
    return std::string(kScheme) + bucket + (prefix.empty() ? "" : '/' + prefix);
}

bool isBucketAddress(std::string_view text)
{
    return text.starts_with(kScheme);
}

Result<BucketAddress> parseBucketAddress(std::string_view text)
{
    if (!isBucketAddress(text) || text.size() > kLongest)
        return wrong(inQuotes(text) + " is no address of a bucket");
    text.remove_prefix(kScheme.size());
    const std::size_t mark = std::min(text.find('?'), text.size());
    std::string_view path = text.substr(0, mark);
    const std::size_t slash = std::min(path.find('/'), path.size());
    BucketAddress address;
    address.bucket = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    while (path.ends_with('/'))
        path.remove_suffix(1);
    address.prefix = path;
    if (address.bucket.find('@') != std::string::npos)
        return wrong(
            "keys are not written into an address: the AWS variables, or ~/.aws/credentials, hold them");
    if (!isBucketName(address.bucket))
        return wrong(inQuotes(address.bucket) + " is no name of a bucket");
    if (!isPrefix(address.prefix))
        return wrong(inQuotes(address.prefix)
                     + " is no prefix: it takes letters, digits, - _ . ~ and single slashes");
    if (auto taken = takeOptions(address, text.substr(std::min(mark + 1, text.size()))); !taken)
        return std::move(taken.error());
    return address;
}

} // namespace sg::artifacts::s3
