#pragma once

#include "app/cli/options.h"
#include "core/config/setting_layers.h"
#include "core/workers/role_pools.h"

#include <string>

namespace sg::cli {

// --queue and --namespace: the Redis whose workers do nodes with a role.
struct QueueOption {
    std::string queue;
    std::string ns;

    void add(Verb verb);
    void apply(config::SettingValues& settings) const;
    // Returns the options that were given, as a person types them, but "PASSWORD" in place of a password, as
    // others may see the screen.
    [[nodiscard]] std::string words() const;
    // The queue of these options and the environment, for verbs without a project. Errc::InvalidArgument:
    // there is none, and how to name one.
    [[nodiscard]] Result<workers::QueueChoice> choice() const;
};

// The message for a command that needs a queue where none is named.
Error noQueue();

} // namespace sg::cli
