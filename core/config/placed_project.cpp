#include "core/config/placed_project.h"

#include "core/base/printable.h"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

bool holds(const fs::path& folder, const fs::path& place)
{
    return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
}

// Resolves links. nullopt for a link whose target does not exist: creating the file would follow it.
std::optional<fs::path> insideOf(const fs::path& project, const fs::path& place)
{
    std::error_code failed;
    const fs::path root = fs::weakly_canonical(project, failed);
    if (failed)
        return std::nullopt;
    fs::path real = fs::weakly_canonical(place, failed);
    if (failed || !holds(root, real))
        return std::nullopt;
    fs::path step = root;
    for (const fs::path& part : real.lexically_relative(root))
        if (step /= part; fs::is_symlink(fs::symlink_status(step, failed)))
            return std::nullopt;
    return real;
}

} // namespace

bool overlap(const fs::path& one, const fs::path& other)
{
    std::error_code failed;
    const fs::path first = fs::weakly_canonical(one, failed);
    const fs::path second = fs::weakly_canonical(other, failed);
    if (first.empty() || second.empty()) // one of them cannot be resolved
        return false;
    return holds(first, second) || holds(second, first);
}

Result<fs::path> chosenPlace(const MergedSettings& settings, std::string_view key, const fs::path& usual,
                             const projects::ProjectPaths& project)
{
    const auto found = settings.values.find(key);
    const bool isSet = found != settings.values.end();
    fs::path place = isSet ? project.folder / found->second.text : usual;
    if (isSet && found->second.isThisUsers())
        return place;
    if (auto inside = insideOf(project.folder, place))
        return std::move(*inside);
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(place, failed);
    return Error{
        Errc::PermissionDenied,
        (isSet ? settings.from(key) + ": " : std::string()) + printableText(place.string())
            + (failed || real == place ? "" : ", which is " + printableText(real.string()) + ",")
            + " is not in the project " + project.folder.string()
            + ", and a project's own files, which may be somebody else's, do not decide about other "
              "places. If it is to be used, set "
            + std::string(findSettingKey(key)->variable)
            + " in the environment or in a file for --env-file, or --set " + std::string(key) + "=…"
    };
}

Result<projects::ProjectPaths> placedProject(projects::ProjectPaths project, const SettingValues& settings)
{
    const auto merged = mergeSettings(settings);
    if (!merged)
        return merged.error();
    for (const auto& [key, place] : { std::pair<const char*, fs::path*>{ "sessions_root", &project.sessions },
                                      { "blobs", &project.blobs },
                                      { "artifacts_db", &project.artifacts } }) {
        if (merged->text(key) == nullptr)
            continue;
        auto chosen = chosenPlace(*merged, key, *place, project);
        if (!chosen)
            return std::move(chosen.error());
        *place = std::move(*chosen);
    }
    return project;
}

} // namespace sg::config
