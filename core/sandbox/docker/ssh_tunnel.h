#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>

namespace sg::sandbox {

// Where ssh://[USER@]HOST[:PORT][/PATH] leads.
struct SshPlace {
    std::string destination; // "USER@HOST"; empty: none
    std::string port; // empty: ssh's own settings say
    std::string socket = "/var/run/docker.sock"; // there

    [[nodiscard]] std::string text() const; // "ssh://…"
};
// Errc::InvalidArgument: no host, or one that ssh could take for an option.
Result<SshPlace> parseSshPlace(const std::string& rest); // behind "ssh://"

// A socket of this machine that leads to one of another by the ssh program, for as long as this lives. Keys
// come from an agent or a file without a password: nobody is asked.
class SshTunnel {
public:
    // Errc::Unavailable with what ssh said.
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
