#pragma once

#include "core/base/child_process.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace sg::test {

// An HTTPS server in Python that serves the folder's "index" and echoes posts, with a certificate of its own
// authority for "localhost" and 127.0.0.1.
struct TlsServer {
    explicit TlsServer(const std::filesystem::path& folder)
    {
        ProcessSpec serve;
        serve.program = "/usr/bin/python3";
        serve.arguments = { "-u", SG_SOURCE_DIR "/tests/data/egress/tls_server.py", folder.string() };
        serve.pipeStdout = true;
        auto started = ChildProcess::start(serve);
        if (!started)
            std::abort();
        child.emplace(std::move(*started));
        std::string line;
        for (char each = 0;
             line.find('\n') == std::string::npos && ::read(child->stdoutPipe().get(), &each, 1) == 1;)
            line += each;
        port = line.substr(0, line.find('\n'));
    }
    std::optional<ChildProcess> child;
    std::string port; // empty: it did not start
};

} // namespace sg::test
