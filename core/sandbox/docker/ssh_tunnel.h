#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>

namespace sg::sandbox {

// The destination of ssh://[USER@]HOST[:PORT][/PATH].
struct SshPlace {
    std::string destination; // "USER@HOST"; empty: none
    std::string port; // empty: as in ssh's own settings
    std::string socket = "/var/run/docker.sock"; // on that machine

    [[nodiscard]] std::string text() const; // "ssh://…"
};
// `rest` follows "ssh://". Errc::InvalidArgument: no host, or one that ssh could take for an option.
Result<SshPlace> parseSshPlace(const std::string& rest);

// A socket of this machine that leads to another machine's by the ssh program, while this object lives. Keys
// come from an agent or from a file without a password: nobody is prompted.
class SshTunnel {
public:
    // Errc::Unavailable with ssh's message.
    static Result<std::shared_ptr<SshTunnel>> open(const SshPlace& place);
    SshTunnel(std::filesystem::path folder, ChildProcess ssh);
    ~SshTunnel();
    SshTunnel(const SshTunnel&) = delete;
    SshTunnel& operator=(const SshTunnel&) = delete;

    [[nodiscard]] std::filesystem::path socket() const;

private:
    [[nodiscard]] Result<void> waitUntilOpen(const SshPlace& place);
    const std::filesystem::path m_folder;
    ChildProcess m_ssh;
};

} // namespace sg::sandbox
