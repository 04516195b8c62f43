#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sg::config {

// Files that ship with Sandglass: in the checkout while it is being built, else in the installation's share
// folder.
struct RuntimePaths {
    std::filesystem::path runner; // resources/sandbox
    std::filesystem::path scripts; // packaging/runtime: make-venv.sh, build-image.sh
    std::filesystem::path examples;
    std::filesystem::path templates; // of new projects
    std::filesystem::path guide; // resources/guide
    std::filesystem::path
        python; // virtual environment of bubblewrap sandboxes; may not exist yet; empty: no place for it
};
RuntimePaths locateRuntime();

// Where layers of Python requirements lie, of all this user's projects; empty: no place for them.
std::filesystem::path layersFolder();

// What every sandbox of ours has, as its image or virtual environment is made of it; in order of their names.
struct RuntimePackage {
    std::string name; // "python-dateutil"
    std::string version;
    [[nodiscard]] std::string module() const; // that it is imported as: "dateutil"
};
Result<std::vector<RuntimePackage>> runtimePackages(const RuntimePaths& paths);

// The modules that the virtual environment of bubblewrap sandboxes would offer if it were built. Empty: it
// is.
std::vector<std::string> missingPackages(const RuntimePaths& paths);

// What Python sandboxes run on. "bubblewrap": the virtual environment; "docker": the image.
enum class RuntimeState { Ready, Missing };
Result<RuntimeState> checkRuntime(const RuntimePaths& paths, const std::string& backend,
                                  const std::string& image);
// How far buildRuntime() is with a virtual environment, by the lines that it tells.
class BuildProgress {
public:
    explicit BuildProgress(std::size_t packages)
        : m_packages(packages)
    {
    }
    void take(const std::string& line);
    [[nodiscard]] int percent() const;
    [[nodiscard]] const std::string& step() const { return m_step; } // "pandas 2.2.2"; empty at first

private:
    std::size_t m_packages;
    std::size_t m_found = 0; // packages that were found and fetched so far
    bool m_isInstalling = false;
    std::string m_step;
};

// Runs the script; its lines go to `progress`. Minutes. The error holds the script's last words;
// Errc::Unavailable: no container engine or no Python is there.
Result<void> buildRuntime(const RuntimePaths& paths, const std::string& backend, const std::string& image,
                          const std::function<void(const std::string& line)>& progress);

} // namespace sg::config
