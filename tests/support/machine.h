#pragma once

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "tests/support/require.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <string>

namespace sg::test {

// Read once: a test that gives up its rights may not reach the checkout afterwards, and reads it before.
inline const std::string& machineScript()
{
    static const std::string text = [] {
        const auto read = readFile(SG_SOURCE_DIR "/tests/support/machine.sh");
        return read ? *read : "echo '" SG_SOURCE_DIR "/tests/support/machine.sh cannot be read'; exit 1";
    }();
    return text;
}

// Why this machine does not have a part of tests/support/parts.txt; empty: it has. machine.sh looks, without
// any program of ours, and once for each part.
inline const std::string& missing(const std::string& part)
{
    static std::map<std::string, std::string> seen;
    const auto [entry, isNew] = seen.try_emplace(part);
    if (!isNew)
        return entry->second;
    ProcessSpec spec;
    spec.program = "/bin/sh";
    spec.arguments = { "-c", machineScript(), "machine.sh", part };
    for (char** variable = environ; *variable != nullptr; ++variable)
        spec.environment.emplace_back(*variable);
    const auto told = runProcess(std::move(spec), {}, std::chrono::seconds(60));
    if (!told)
        entry->second = "machine.sh: " + told.error().message;
    else if (told->exit.code != 0)
        entry->second =
            told->out.empty() ? "machine.sh: " + told->err : told->out.substr(0, told->out.find('\n'));
    return entry->second;
}

} // namespace sg::test

// Goes on where the machine has the part, whatever our own program makes of it.
#define SG_NEED(part)                                                                                        \
    do {                                                                                                     \
        if (const std::string& sgMissing = sg::test::missing(part); !sgMissing.empty())                      \
            SG_SKIP_WITHOUT(part, sgMissing);                                                                \
    } while (false)
