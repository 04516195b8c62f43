#include "core/workers/role_grant.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace sg::workers {
namespace {

constexpr std::size_t kLargestFile = 1U << 20U;
constexpr std::string_view kData = "/data"; // where sessions see a read-only folder

std::vector<std::string> textsOf(const Value& list)
{
    std::vector<std::string> texts;
    if (list.isList())
        for (const Value& each : list.asList())
            if (each.isString())
                texts.push_back(each.asString());
    return texts;
}

bool isTexts(const Value& value)
{
    return value.isNull() || (value.isList() && std::ranges::all_of(value.asList(), [](const Value& each) {
                                  return each.isString();
                              }));
}

// "*.example.com" covers "api.example.com", with the same port.
bool covers(std::string_view granted, std::string_view wanted)
{
    if (granted == wanted)
        return true;
    return granted.starts_with("*.") && !wanted.starts_with("*") && wanted.size() > granted.size() - 1
        && wanted.ends_with(granted.substr(1));
}

bool isGranted(const std::vector<std::string>& granted, const std::string& wanted)
{
    return std::ranges::any_of(granted, [&](const std::string& each) { return covers(each, wanted); });
}

Error refused(const std::string& role, const std::string& what)
{
    return {
        Errc::PermissionDenied,
        "role " + role + " asks for " + what
            + ", which this worker's pool file does not grant it. Who runs the worker can add it there"
    };
}

Result<void> checkForm(const Value& role, const std::string& place)
{
    constexpr std::array kLists{ "secrets", "egress", "images" };
    for (const char* key : kLists)
        if (!isTexts(role[key]))
            return Error{ Errc::InvalidArgument, place + ": \"" + key + "\" is a list of texts" };
    constexpr std::array kKnown{ "secrets",     "egress",  "mounts",   "images", "limits", "backend",
                                 "concurrency", "lease_s", "max_lost", "min",    "max" };
    for (const auto& [key, value] : role.asMap())
        if (key.isString() && !key.asString().starts_with("x-")
            && std::ranges::find(kKnown, key.asString()) == kKnown.end())
            return Error{ Errc::InvalidArgument, place + " has no setting \"" + key.asString() + "\"" };
    const Value& mounts = role["mounts"];
    if (!mounts.isNull() && !mounts.isMap())
        return Error{ Errc::InvalidArgument,
                      place + R"(: "mounts" is an object, such as {"/data": "/srv/papers"})" };
    if (mounts.isMap())
        for (const auto& [inside, folder] : mounts.asMap())
            if (!inside.isString() || inside.asString() != kData || !folder.isString()
                || !folder.asString().starts_with('/'))
                return Error{ Errc::InvalidArgument,
                              place + ": sessions see one folder, at \"/data\", of an absolute path here" };
    return {};
}

// The smaller of what is asked for, if anything, and what is granted, if that is limited.
void narrow(const Value& wish, const Value& grant, const char* key, const std::function<void(double)>& set)
{
    const Value& asked = wish[key];
    const Value& most = grant[key];
    if (asked.isNumber() && most.isNumber())
        set(std::min(asked.asDouble(), most.asDouble()));
    else if (most.isNumber())
        set(most.asDouble());
}

// Without a grant a graph may ask for less than the worker's own limits, never for more.
void applyLimits(const Value& wish, const Value& grant, sessions::SessionSpec& spec,
                 sessions::CellLimits& limits)
{
    constexpr double kMiB = 1 << 20;
    const auto each = [&](const char* key, auto& target, double unit) {
        using Number = std::remove_reference_t<decltype(target)>;
        const Value& asked = wish[key];
        if (asked.isNumber() && asked.asDouble() > 0 && asked.asDouble() * unit < static_cast<double>(target))
            target = static_cast<Number>(asked.asDouble() * unit);
        narrow(wish, grant, key, [&](double value) { target = static_cast<Number>(value * unit); });
    };
    each("memory_mb", spec.limits.memoryBytes, kMiB);
    each("tmpfs_mb", spec.limits.tmpfsBytes, kMiB);
    each("pids", spec.limits.pids, 1);
    each("cpus", spec.limits.cpus, 1);
    each("open_files", spec.limits.openFiles, 1);
    each("output_mb", limits.outputBytes, kMiB);
    each("state_mb", limits.stateBytes, kMiB);
    auto milliseconds = limits.deadline.count();
    each("cell_s", milliseconds, 1000);
    limits.deadline = std::chrono::milliseconds(milliseconds);
}

} // namespace

Result<RoleGrant> readRoleGrant(const std::filesystem::path& file, const std::string& role)
{
    RoleGrant grant;
    const auto text = readFile(file, kLargestFile);
    if (!text)
        return text.error();
    const auto value = parseJson(*text);
    if (!value)
        return Error{ Errc::InvalidArgument, file.string() + ": " + value.error().message };
    if (!(*value)["roles"].isMap())
        return Error{ Errc::InvalidArgument, file.string() + R"(: it holds {"roles": {"NAME": {…}}})" };
    const Value& found = (*value)["roles"][role];
    if (found.isNull())
        return grant;
    const std::string place = file.string() + ": role " + role;
    if (!found.isMap())
        return Error{ Errc::InvalidArgument, place + " is an object" };
    if (auto form = checkForm(found, place); !form)
        return std::move(form.error());
    grant.secrets = textsOf(found["secrets"]);
    grant.egress = textsOf(found["egress"]);
    grant.images = textsOf(found["images"]);
    if (found["mounts"].isMap())
        for (const auto& [inside, folder] : found["mounts"].asMap())
            grant.mounts.emplace_back(inside.asString(), folder.asString());
    grant.limits = found["limits"];
    grant.backend = found.stringOr("backend", "");
    if (const Value& number = found["concurrency"]; number.isInt())
        grant.concurrency = std::clamp<std::int64_t>(number.asInt(), 1, 256);
    if (const Value& number = found["lease_s"]; number.isNumber())
        grant.leaseSeconds = std::clamp(number.asDouble(), 0.5, 3600.0);
    if (const Value& number = found["max_lost"]; number.isInt())
        grant.mostLost = std::clamp<std::int64_t>(number.asInt(), 0, 100);
    grant.least = std::clamp<std::int64_t>(found.intOr("min", 1), 0, 256);
    grant.most = std::clamp<std::int64_t>(found.intOr("max", 4), std::max<std::int64_t>(grant.least, 1), 256);
    return grant;
}

RoleGrant grantOfAll(const Value& wish)
{
    RoleGrant grant;
    grant.secrets = textsOf(wish["secrets"]);
    grant.egress = textsOf(wish["egress"]);
    if (const std::string image = wish.stringOr("image", ""); !image.empty())
        grant.images = { image };
    grant.limits = wish["limits"];
    return grant;
}

Result<void> applyGrant(const RoleGrant& grant, const Value& wish, const std::string& role,
                        sessions::SessionSpec& spec, sessions::CellLimits& limits)
{
    spec.secrets.clear();
    for (const std::string& name : textsOf(wish["secrets"])) {
        if (std::ranges::find(grant.secrets, name) == grant.secrets.end())
            return refused(role, "the secret " + name);
        spec.secrets.push_back(name);
    }
    std::ranges::sort(spec.secrets);
    spec.egress.clear();
    for (const std::string& host : textsOf(wish["egress"])) {
        if (!isGranted(grant.egress, host))
            return refused(role, "the host " + host);
        spec.egress.push_back(host);
    }
    for (const std::string& inside : textsOf(wish["mounts"])) {
        const auto found =
            std::ranges::find(grant.mounts, inside, &std::pair<std::string, std::filesystem::path>::first);
        if (found == grant.mounts.end())
            return refused(role, "the folder " + inside);
        spec.mode.datasets = sessions::DatasetAccess::LocalRo;
        spec.datasetFolder = found->second;
    }
    if (const std::string image = wish.stringOr("image", ""); !image.empty()) {
        if (std::ranges::find(grant.images, image) == grant.images.end())
            return refused(role, "the image " + image);
        spec.image = image;
    } else if (!grant.images.empty()) {
        spec.image = grant.images.front();
    }
    if (!grant.backend.empty())
        spec.backend = grant.backend;
    applyLimits(wish["limits"], grant.limits, spec, limits);
    return {};
}

} // namespace sg::workers
