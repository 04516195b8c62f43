#pragma once

#include "core/artifacts/s3/bucket_address.h"
#include "core/base/result.h"
#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sg::artifacts::s3 {

using VariableLookup = std::function<std::optional<std::string>(const std::string& name)>;

// The address of a bucket, and the keys to it.
struct AwsAccess {
    std::string endpoint; // "https://s3.eu-central-1.amazonaws.com"
    std::string region;
    bool isRegionChosen = false; // false: nobody named one
    bool pathStyle = false;
    std::filesystem::path authorities; // empty: this machine's
    std::string keyId;
    settings::Secret secret;
    std::optional<settings::Secret> sessionToken; // of temporary keys
    std::optional<int> attempts; // of a request, with the first; nullopt: nobody says how many
};

// Looks, in this order, at the address, the variables of AWS (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN, AWS_PROFILE, AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
// AWS_CA_BUNDLE, AWS_MAX_ATTEMPTS, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE) and ~/.aws/config with
// ~/.aws/credentials. A profile that the address names wins over keys in variables. Errc::PermissionDenied
// says where keys were looked for; Unsupported: the profile gets its keys in a way that only AWS's own
// programs know.
Result<AwsAccess> findAccess(const BucketAddress& address, const VariableLookup& variable);

} // namespace sg::artifacts::s3
