#pragma once

#include "core/base/result.h"
#include "core/settings/secret_source.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::settings {

// This user's keyring (GNOME Keyring, KWallet, KeePassXC: org.freedesktop.secrets), through the program
// secret-tool. A separate process can be ended if a person does not answer a request to unlock the keyring,
// needs no event loop or thread in this program, and serves command line and window alike. Secrets pass
// through its pipes, never its arguments. Any thread.
class Keyring {
public:
    struct Options {
        SecretSource::Variables variables; // of this process, to find its session bus
        std::string program = "secret-tool";
        std::chrono::milliseconds patience{ 60'000 }; // for a person who is asked to unlock it
    };
    explicit Keyring(Options options)
        : m_options(std::move(options))
    {
    }

    // Returns nullopt if there is no such secret. Errc::Unavailable says why there is no keyring;
    // PermissionDenied: it stayed locked. Also Errc::Timeout and Cancelled.
    [[nodiscard]] Result<std::optional<std::string>> find(const std::string& name,
                                                          const std::stop_token& stop = {}) const;
    Result<void> store(const std::string& name, const std::string& secret) const;
    // False: there was no such secret.
    Result<bool> remove(const std::string& name) const;
    // Checks that a keyring answers, and asks nobody to unlock it. Errc::Unavailable.
    [[nodiscard]] Result<void> probe() const;

private:
    struct Told {
        bool isDone = false; // false: nothing was found
        std::string out;
    };
    [[nodiscard]] Result<Told> ask(const char* verb, const std::string& name, const std::string& input = {},
                                   const std::stop_token& stop = {}) const;
    const Options m_options;
};

} // namespace sg::settings
