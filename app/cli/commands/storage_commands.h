#pragma once

namespace CLI {
class App;
}

namespace sg::cli {

struct Shell;

// Threads as files, and what a project takes on the disk.
void addBundle(CLI::App& app, Shell& shell);
void addStorage(CLI::App& app, Shell& shell);

} // namespace sg::cli
