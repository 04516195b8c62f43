#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/session.h"
#include "core/sessions/session_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sg::workers {

// This machine grants so much to the tasks of a role, whatever their graphs ask for. It is read from a pool
// file:
//
//   {"roles": {ROLE: {"secrets": [name, …], "egress": [host, …], "mounts": {PATH INSIDE: FOLDER},
//                     "images": [name, …], "limits": {as in a graph's "sandbox"}, "backend": text,
//                     "concurrency": count, "lease_s": seconds, "max_lost": count, "min": count, "max":
//                     count}}}
struct RoleGrant {
    std::vector<std::string> secrets;
    std::vector<std::string> egress;
    std::vector<std::pair<std::string, std::filesystem::path>> mounts;
    std::vector<std::string> images; // the first is used where the graph names none
    Value limits; // the most that a graph may ask for
    std::string backend;
    std::optional<std::int64_t> concurrency;
    std::optional<double> leaseSeconds;
    std::optional<std::int64_t> mostLost;
    std::int64_t least = 1; // workers, for the autoscaler
    std::int64_t most = 4;
};

// Errc::InvalidArgument names the file, the place and what it may be. A role that is not in it gets nothing.
Result<RoleGrant> readRoleGrant(const std::filesystem::path& file, const std::string& role);

// The user's own machine grants this to a graph that runs there: all but folders, as settings of this user
// still decide about secrets and hosts.
RoleGrant grantOfAll(const Value& wish);

// Narrows a session of the worker to what the graph asks for and the worker grants. Errc::PermissionDenied:
// the graph needs something that is not granted, and how to grant it.
Result<void> applyGrant(const RoleGrant& grant, const Value& wish, const std::string& role,
                        sessions::SessionSpec& spec, sessions::CellLimits& limits);

} // namespace sg::workers
