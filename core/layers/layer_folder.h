#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::layers {

// A package as it was resolved.
struct Pin {
    std::string name;
    std::string version;
    std::string sha256; // the wheel's
    std::string url; // if the requirement itself named one
    [[nodiscard]] std::string text() const { return name + "==" + version; }
};

struct LayerRecord {
    std::string id;
    std::vector<std::string> requirements;
    std::vector<Pin> pins;
    std::vector<std::string> warnings;
    std::string backend; // the backend that it was installed on
    std::string python; // "3.11.2"
    std::string platform; // "linux-x86_64"
    std::int64_t bytes = 0;
    std::int64_t files = 0;
    std::string createdAt;
    // These describe the folder as it is now:
    std::string lastUsedAt{};
    bool isInstalled = false; // false: only what it was resolved to is known
    bool isInUse = false;
};

// The folder of this user's layers:
//   ID/packages/…   what sessions see            ID/layer.json   a LayerRecord
//   ID.pins.json    what ID was resolved to: stays when the folder goes, so that it comes back the same
//   ID.lock         held shared by sessions, alone by who installs or removes
//   .new-ID-…       being installed
// Several programs may share it. Any thread.
class LayerFolder {
public:
    explicit LayerFolder(std::filesystem::path root);

    [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
    [[nodiscard]] std::filesystem::path packages(const std::string& id) const;

    using Hold = std::shared_ptr<const void>;
    // Takes a shared lock if the layer exists, so that nobody removes it meanwhile. It counts as used now.
    Result<std::optional<std::pair<LayerRecord, Hold>>> hold(const std::string& id) const;
    // Takes the exclusive lock; nullopt if another program installed the layer meanwhile. `waits` is called
    // once if another program holds it. Errc::Cancelled: `stop` was requested.
    Result<std::optional<Fd>> lock(const std::string& id, const std::stop_token& stop,
                                   const std::function<void()>& waits) const;

    // Turns an exclusive lock into a shared one.
    static Hold share(Fd lock);
    [[nodiscard]] std::optional<LayerRecord> find(const std::string& id) const;

    // Makes an empty folder for the holder of the exclusive lock and removes what earlier attempts left.
    Result<std::filesystem::path> begin(const std::string& id) const;
    // Makes `packages` and `record` the layer, completely or not at all.
    Result<void> publish(const LayerRecord& record, const std::filesystem::path& work,
                         const std::filesystem::path& packages) const;
    static void abandon(const std::filesystem::path& work);

    // Returns what the layer was resolved to before; empty: never.
    [[nodiscard]] std::vector<Pin> pins(const std::string& id) const;
    [[nodiscard]] Result<std::vector<LayerRecord>> list() const; // used last first
    // Errc::NotFound; Busy: a session uses it. `forget`: the layer is resolved anew when it is needed again.
    Result<void> remove(const std::string& id, bool forget) const;

private:
    [[nodiscard]] std::filesystem::path lockFile(const std::string& id) const;

    const std::filesystem::path m_root;
};

bool isLayerId(const std::string& text);

} // namespace sg::layers
