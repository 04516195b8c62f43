#pragma once

#include "core/base/result.h"
#include "core/settings/secret_source.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::settings {

// This user's keyring, whatever program keeps it (GNOME Keyring, KWallet, KeePassXC:
// org.freedesktop.secrets), by the program secret-tool. That one is a process of its own: it can be ended
// when a person is asked to unlock the keyring and does not answer, it brings no event loop and no thread
// into this program, and it serves command line and window alike. Secrets pass by its pipes, never by
// arguments. Any thread.
class Keyring {
public:
    struct Options {
        SecretSource::Variables variables; // of this process: where its session bus is
        std::string program = "secret-tool";
        std::chrono::milliseconds patience{ 60'000 }; // for a person who is asked to unlock it
    };
    explicit Keyring(Options options)
        : m_options(std::move(options))
    {
    }

    // Nothing where it has none of that name. Errc::Unavailable: there is no keyring here, and why.
    // Errc::PermissionDenied: it is locked and stayed so. Errc::Timeout, Errc::Cancelled.
    [[nodiscard]] Result<std::optional<std::string>> find(const std::string& name,
                                                          const std::stop_token& stop = {}) const;
    Result<void> store(const std::string& name, const std::string& secret) const;
    // False: there was none of that name.
    Result<bool> remove(const std::string& name) const;
    // That a keyring answers; asks nobody to unlock it. Errc::Unavailable.
    [[nodiscard]] Result<void> probe() const;

private:
    struct Told {
        bool isDone = false; // else nothing was found
        std::string out;
    };
    [[nodiscard]] Result<Told> ask(const char* verb, const std::string& name, const std::string& input = {},
                                   const std::stop_token& stop = {}) const;
    const Options m_options;
};

} // namespace sg::settings
