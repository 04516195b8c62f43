#pragma once

// The exit codes of `sandglass`; documented in resources/guide/command-line.md and `sandglass --help`.
namespace sg::cli {

enum ExitCode {
    Done = 0,
    Failed = 1, // anything not named below: disk, network, damaged file
    Usage = 2, // unknown option, bad JSON, nothing of that name
    InvalidGraph = 3,
    RunFailed = 4, // a node failed, or the recursion limit was reached
    Waiting = 5, // the run waits for an answer: `sandglass resume --answer`
    NoSandbox = 6, // no container engine and no bubblewrap, or the runtime is missing
    DatabaseBusy = 7, // locked by another program, or a run is under way on the thread
    Stopped = 130, // by Ctrl+C
};

} // namespace sg::cli
