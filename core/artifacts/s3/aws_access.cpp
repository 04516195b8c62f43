#include "core/artifacts/s3/aws_access.h"

#include "core/artifacts/s3/aws_profile.h"
#include "core/base/user_folders.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualRegion = "us-east-1";

struct Variables {
    const VariableLookup& lookup;

    [[nodiscard]] std::string first(std::initializer_list<const char*> names) const
    {
        for (const char* name : names)
            if (auto value = lookup(name); value && !value->empty())
                return std::move(*value);
        return {};
    }
};

fs::path homeFile(const Variables& variables, const char* variable, const char* name)
{
    if (const std::string chosen = variables.first({ variable }); !chosen.empty())
        return chosen;
    const std::string home = variables.first({ "HOME" });
    const fs::path folder = home.empty() ? userHomeFolder() : fs::path(home);
    return folder.empty() ? folder : folder / ".aws" / name;
}

std::string valueOf(const ProfileValues& values, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        if (const auto found = values.find(name); found != values.end() && !found->second.empty())
            return found->second;
    return {};
}

std::string firstOf(std::initializer_list<std::string> texts)
{
    for (const std::string& text : texts)
        if (!text.empty())
            return text;
    return {};
}

struct Keys {
    std::string id;
    std::string secret;
    std::string token;
    [[nodiscard]] bool areThere() const { return !id.empty() && !secret.empty(); }
};

Keys keysIn(const ProfileValues& values)
{
    return { valueOf(values, { "aws_access_key_id" }), valueOf(values, { "aws_secret_access_key" }),
             valueOf(values, { "aws_session_token" }) };
}

Error noKeys(const ProfileValues& values, const std::string& profile, const fs::path& credentials)
{
    for (const char* way :
         { "role_arn", "sso_session", "sso_start_url", "credential_process", "source_profile" })
        if (values.contains(std::string_view(way)))
            return {
                Errc::Unsupported,
                "the profile \"" + profile + "\" gets its keys by " + way
                    + ", which Sandglass does not do itself. Put temporary keys into the environment: eval "
                      "\"$(aws configure export-credentials --profile "
                    + profile + " --format env)\""
            };
    return { Errc::PermissionDenied,
             "there are no keys for the bucket: neither AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the "
             "environment nor the profile \""
                 + profile + "\" in " + credentials.string() };
}

std::optional<int> attemptsIn(const std::string& text)
{
    constexpr int kMost = 100;
    int count = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (failed != std::errc() || end != text.data() + text.size() || count < 1)
        return std::nullopt;
    return std::min(count, kMost);
}

// AWS's own endpoint of a region.
std::string usualEndpoint(const std::string& region)
{
    return "https://s3." + region + ".amazonaws.com" + (region.starts_with("cn-") ? ".cn" : "");
}

} // namespace

Result<AwsAccess> findAccess(const BucketAddress& address, const VariableLookup& variable)
{
    const Variables variables{ variable };
    const fs::path config = homeFile(variables, "AWS_CONFIG_FILE", "config");
    const fs::path credentials = homeFile(variables, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
    const std::string named = firstOf({ address.profile, variables.first({ "AWS_PROFILE" }) });
    const std::string profile = named.empty() ? "default" : named;
    Keys keys{ variables.first({ "AWS_ACCESS_KEY_ID" }), variables.first({ "AWS_SECRET_ACCESS_KEY" }),
               variables.first({ "AWS_SESSION_TOKEN" }) };
    auto values = readProfile(config, credentials, profile);
    if (!values && (values.error().code != Errc::NotFound || !named.empty()))
        return std::move(values.error());
    const ProfileValues known = values ? std::move(*values) : ProfileValues();
    if (!keys.areThere() || !address.profile.empty())
        keys = keysIn(known);
    if (!keys.areThere())
        return noKeys(known, profile, credentials);
    if (keys.id.find_first_of("\r\n:") != std::string::npos
        || (keys.secret + keys.token).find_first_of("\r\n") != std::string::npos)
        return Error{ Errc::InvalidArgument, "the AWS key has a line break or a colon in it" };

    std::string region = firstOf({ address.region, variables.first({ "AWS_REGION", "AWS_DEFAULT_REGION" }),
                                   valueOf(known, { "region" }) });
    const bool isRegionChosen = !region.empty();
    if (!isRegionChosen)
        region = kUsualRegion;
    const std::string chosen =
        firstOf({ address.endpoint, variables.first({ "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL" }),
                  valueOf(known, { "s3.endpoint_url", "endpoint_url" }) });
    const std::string style = valueOf(known, { "s3.addressing_style" });
    // A name with dots in it fits no certificate for "*.s3.REGION.amazonaws.com"; other services rarely have
    // a host name for each bucket.
    const bool needsPath = !chosen.empty() || address.bucket.find('.') != std::string::npos;
    AwsAccess access{
        chosen.empty() ? usualEndpoint(region) : chosen,
        region,
        isRegionChosen,
        address.pathStyle.value_or(style == "path" || (style != "virtual" && needsPath)),
        firstOf(
            { address.authorities, variables.first({ "AWS_CA_BUNDLE" }), valueOf(known, { "ca_bundle" }) }),
        std::move(keys.id),
        settings::Secret("AWS_SECRET_ACCESS_KEY", std::move(keys.secret)),
        std::nullopt,
        attemptsIn(firstOf({ variables.first({ "AWS_MAX_ATTEMPTS" }), valueOf(known, { "max_attempts" }) }))
    };
    while (access.endpoint.ends_with('/'))
        access.endpoint.pop_back();
    if (!access.endpoint.starts_with("https://") && !access.endpoint.starts_with("http://"))
        return Error{ Errc::InvalidArgument,
                      "\"" + access.endpoint
                          + "\" is no endpoint of an S3 service: it begins with https://" };
    if (!keys.token.empty())
        access.sessionToken.emplace("AWS_SESSION_TOKEN", std::move(keys.token));
    return access;
}

} // namespace sg::artifacts::s3
