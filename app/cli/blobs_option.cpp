#include "app/cli/blobs_option.h"

#include "core/config/artifact_place.h"

namespace sg::cli {

void BlobsOption::add(Verb verb)
{
    verb.option(
        "--blobs", blobs,
        "where contents of artifacts are: a bucket that machines share, s3://BUCKET/PREFIX, or a folder "
        "(default: SANDGLASS_BLOBS, else as sandglass storage move has noted, else the project's)");
}

void BlobsOption::apply(config::SettingValues& settings) const
{
    for (config::SettingValue& value : config::blobsSettings(blobs))
        settings.push_back(std::move(value));
}

config::SettingValues BlobsOption::settings() const
{
    return config::blobsSettings(blobs);
}

} // namespace sg::cli
