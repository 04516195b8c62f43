#pragma once

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "tests/support/require.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <string>

namespace sg::test {

// The script is read once, early: a test that drops its rights may not be able to read the checkout later.
inline const std::string& machineScript()
{
    static const std::string text = [] {
        const auto read = readFile(SG_SOURCE_DIR "/tests/support/machine.sh");
        return read ? *read : "echo '" SG_SOURCE_DIR "/tests/support/machine.sh cannot be read'; exit 1";
    }();
    return text;
}

// Why this machine lacks a part of tests/support/parts.txt; empty: it has the part. machine.sh checks each
// part once, without any program of ours.
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

// Continues where the machine has the part, whether or not our own program works with it.
#define SG_NEED(part)                                                                                        \
    do {                                                                                                     \
        if (const std::string& sgMissing = sg::test::missing(part); !sgMissing.empty())                      \
            SG_SKIP_WITHOUT(part, sgMissing);                                                                \
    } while (false)
