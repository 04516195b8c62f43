#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace sg::artifacts::s3 {

// One section of ~/.aws/config or ~/.aws/credentials. A nested value ("s3 =" with indented lines below it) is
// called "s3.addressing_style".
using ProfileValues = std::map<std::string, std::string, std::less<>>;

// Reads such a text: section name to values; names of config's sections stand without "profile ". Unknown
// lines are left out.
std::map<std::string, ProfileValues> parseProfiles(std::string_view text);

// Reads both files, of which either may be missing, and returns what they say of a profile; values of the
// credentials file win, as with AWS's own programs. Errc::NotFound: neither has it.
Result<ProfileValues> readProfile(const std::filesystem::path& config,
                                  const std::filesystem::path& credentials, const std::string& profile);

} // namespace sg::artifacts::s3
