#pragma once

#include "core/base/child_process.h"
#include "core/layers/requirement_layers.h"
#include "tests/integration/sessions/session_world.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sg::test {

inline bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

// Layers of a user of its own, whose pip knows one folder of wheels and no index.
struct LayerWorld {
    explicit LayerWorld(World& in)
        : world(in)
        , layers(in.folder / "layers",
                 [this](const std::string& name) -> std::optional<std::string> {
                     const auto found = environment.find(name);
                     return found == environment.end() ? std::nullopt : std::optional(found->second);
                 },
                 { {},
                   [this](const layers::Installation&, const sandbox::egress::EgressDecision& decision) {
                       const std::lock_guard lock(mutex);
                       asked.push_back(decision);
                       return isRecorded.load();
                   },
                   {} })
    {
        std::filesystem::create_directories(links());
        environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                        { "PIP_NO_INDEX", "1" },
                        { "PIP_FIND_LINKS", links().string() } };
        in.layers = [this](const sessions::LayerWish& wish) {
            auto heard = wish;
            heard.say = [this](const std::string& line) {
                const std::lock_guard lock(mutex);
                said += line + "\n";
            };
            return layers.layerFor(heard);
        };
        in.spec.requirements = { "demo-a==1.0" };
    }
    [[nodiscard]] std::filesystem::path links() const { return world.folder / "links"; }
    std::string heard()
    {
        const std::lock_guard lock(mutex);
        return said;
    }
    void wheel(const std::string& name, const std::string& version, const std::string& needs = {}) const
    {
        ProcessSpec make;
        make.program = "/usr/bin/python3";
        make.arguments = { std::string(SG_SOURCE_DIR) + "/tests/data/layers/make_wheel.py", links().string(),
                           name, version };
        if (!needs.empty())
            make.arguments.push_back(needs);
        const auto made = runProcess(make, {}, std::chrono::seconds(30));
        if (!made || made->exit.code != 0)
            std::abort();
    }

    World& world;
    std::map<std::string, std::string> environment;
    layers::RequirementLayers layers;
    std::mutex mutex;
    std::string said; // guarded by mutex
    std::vector<sandbox::egress::EgressDecision> asked; // of the network; guarded by mutex
    std::atomic<bool> isRecorded = true;
};

} // namespace sg::test
