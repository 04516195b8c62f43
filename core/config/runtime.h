#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sg::config {

// The files that ship with Sandglass: in the checkout of a build, else in the installation's share folder.
struct RuntimePaths {
    std::filesystem::path runner; // resources/sandbox
    std::filesystem::path scripts; // packaging/runtime: make-venv.sh, build-image.sh
    std::filesystem::path examples;
    std::filesystem::path templates; // of new projects
    std::filesystem::path guide; // its chapters, put together by the build
    std::filesystem::path
        python; // virtual environment of bubblewrap sandboxes; may not exist yet; empty: it has no place
};
RuntimePaths locateRuntime();

// Returns where this user's layers of Python requirements are kept; empty: there is no place.
std::filesystem::path layersFolder();

// A package that the image and the virtual environment of our sandboxes contain. They are sorted by name.
struct RuntimePackage {
    std::string name; // "python-dateutil"
    std::string version;
    [[nodiscard]] std::string module() const; // its import name: "dateutil"
};
Result<std::vector<RuntimePackage>> runtimePackages(const RuntimePaths& paths);

// Returns the modules that the virtual environment of bubblewrap sandboxes would offer. Empty: it is built.
std::vector<std::string> missingPackages(const RuntimePaths& paths);

// The state of a backend's Python: the virtual environment for "bubblewrap", the image for "docker".
enum class RuntimeState { Ready, Missing };
Result<RuntimeState> checkRuntime(const RuntimePaths& paths, const std::string& backend,
                                  const std::string& image);
// Follows how far buildRuntime() is with a virtual environment, by the lines that it tells.
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
