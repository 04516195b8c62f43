#include "core/layers/layer_folder.h"

#include "core/base/errno_error.h"
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/stored_time.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <thread>

namespace sg::layers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecord = 4U << 20;
constexpr std::size_t kIdLength = 20;
constexpr const char* kRecord = "layer.json";
constexpr const char* kPins = ".pins.json";
constexpr Millis kLookAgain{ 100 };

Value textsValue(const std::vector<std::string>& texts)
{
    return ValueList(texts.begin(), texts.end());
}

std::vector<std::string> textsOf(const Value& value)
{
    std::vector<std::string> texts;
    if (value.isList())
        for (const Value& each : value.asList())
            if (each.isString())
                texts.push_back(each.asString());
    return texts;
}

Value recordValue(const LayerRecord& record)
{
    ValueList pins;
    for (const Pin& pin : record.pins)
        pins.push_back(Value::map({ { "name", pin.name },
                                    { "version", pin.version },
                                    { "sha256", pin.sha256 },
                                    { "url", pin.url } }));
    return Value::map({ { "requirements", textsValue(record.requirements) },
                        { "pins", Value(std::move(pins)) },
                        { "warnings", textsValue(record.warnings) },
                        { "backend", record.backend },
                        { "python", record.python },
                        { "platform", record.platform },
                        { "bytes", record.bytes },
                        { "files", record.files },
                        { "created_at", record.createdAt } });
}

LayerRecord recordOf(const std::string& id, const Value& value)
{
    LayerRecord record;
    record.id = id;
    record.requirements = textsOf(value["requirements"]);
    record.warnings = textsOf(value["warnings"]);
    if (value["pins"].isList())
        for (const Value& pin : value["pins"].asList())
            record.pins.push_back({ pin.stringOr("name", ""), pin.stringOr("version", ""),
                                    pin.stringOr("sha256", ""), pin.stringOr("url", "") });
    record.backend = value.stringOr("backend", "");
    record.python = value.stringOr("python", "");
    record.platform = value.stringOr("platform", "");
    record.bytes = value.intOr("bytes", 0);
    record.files = value.intOr("files", 0);
    record.createdAt = value.stringOr("created_at", "");
    return record;
}

std::optional<LayerRecord> readRecord(const std::string& id, const fs::path& file)
{
    const auto text = readFile(file, kMostRecord);
    const auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (!value || !value->isMap())
        return std::nullopt;
    return recordOf(id, *value);
}

Result<Fd> openLock(const fs::path& file)
{
    Fd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd.isOpen())
        return errnoError(errno, "open " + file.string());
    return fd;
}

} // namespace

bool isLayerId(const std::string& text)
{
    return text.size() == kIdLength
        && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

LayerFolder::LayerFolder(fs::path root)
    : m_root(std::move(root))
{
}

fs::path LayerFolder::packages(const std::string& id) const
{
    return m_root / id / "packages";
}

fs::path LayerFolder::lockFile(const std::string& id) const
{
    return m_root / (id + ".lock");
}

std::optional<LayerRecord> LayerFolder::find(const std::string& id) const
{
    auto record = readRecord(id, m_root / id / kRecord);
    std::error_code failed;
    if (!record || !fs::is_directory(packages(id), failed))
        return std::nullopt;
    record->isInstalled = true;
    struct stat state { };
    if (::stat(lockFile(id).c_str(), &state) == 0)
        record->lastUsedAt = isoTime(storedTime(std::chrono::seconds(state.st_mtim.tv_sec)));
    return record;
}

Result<std::optional<std::pair<LayerRecord, LayerFolder::Hold>>>
LayerFolder::hold(const std::string& id) const
{
    using Held = std::optional<std::pair<LayerRecord, Hold>>;
    if (!find(id))
        return Held();
    auto fd = openLock(lockFile(id));
    if (!fd)
        return std::move(fd.error());
    if (::flock(fd->get(), LOCK_SH | LOCK_NB) != 0)
        return Held(); // it is being removed
    auto record = find(id);
    if (!record)
        return Held();
    ::futimens(fd->get(), nullptr);
    return Held(std::pair(std::move(*record), std::make_shared<const Fd>(std::move(*fd))));
}

Result<std::optional<Fd>> LayerFolder::lock(const std::string& id, const std::stop_token& stop,
                                            const std::function<void()>& waits) const
{
    std::error_code failed;
    fs::create_directories(m_root, failed);
    if (failed)
        return errnoError(failed.value(), "create " + m_root.string());
    auto fd = openLock(lockFile(id));
    if (!fd)
        return std::move(fd.error());
    for (bool isFirst = true; ::flock(fd->get(), LOCK_EX | LOCK_NB) != 0; isFirst = false) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errnoError(errno, "lock " + lockFile(id).string());
        if (isFirst)
            waits();
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "stopped while another program installs the same requirements" };
        std::this_thread::sleep_for(kLookAgain);
        if (find(id))
            return std::optional<Fd>(); // the other program has installed it
    }
    return std::optional(std::move(*fd));
}

LayerFolder::Hold LayerFolder::share(Fd lock)
{
    ::flock(lock.get(), LOCK_SH);
    ::futimens(lock.get(), nullptr);
    return std::make_shared<const Fd>(std::move(lock));
}

Result<fs::path> LayerFolder::begin(const std::string& id) const
{
    std::error_code failed;
    const std::string prefix = ".new-" + id + '-';
    std::vector<fs::path> old;
    for (fs::directory_iterator entry(m_root, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().filename().string().starts_with(prefix))
            old.push_back(entry->path());
    for (const fs::path& folder : old)
        abandon(folder);
    std::array<char, 6> random{};
    fillRandomBytes(random.data(), random.size());
    const fs::path work = m_root / (prefix + toHex({ random.data(), random.size() }));
    if (::mkdir(work.c_str(), 0755) != 0)
        return errnoError(errno, "create " + work.string());
    return work;
}

Result<void> LayerFolder::publish(const LayerRecord& record, const fs::path& work,
                                  const fs::path& packages) const
{
    const fs::path made = work / "layer";
    std::error_code failed;
    fs::create_directory(made, failed);
    if (!failed)
        fs::rename(packages, made / "packages", failed);
    if (failed)
        return errnoError(failed.value(), "put the packages into " + made.string());
    const std::string text = toJson(recordValue(record), JsonStyle::Indented) + "\n";
    if (auto written = writeFileAtomically(made / kRecord, text); !written)
        return written;
    // Everything is flushed before the folder gets its name.
    const Fd folder(::open(made.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen() || ::syncfs(folder.get()) != 0)
        return errnoError(errno, "write " + made.string());
    fs::remove_all(m_root / record.id, failed);
    fs::rename(made, m_root / record.id, failed);
    if (failed)
        return errnoError(failed.value(), "put " + made.string() + " into its place");
    return writeFileAtomically(m_root / (record.id + kPins), text);
}

void LayerFolder::abandon(const fs::path& work)
{
    std::error_code ignored;
    fs::remove_all(work, ignored);
}

std::vector<Pin> LayerFolder::pins(const std::string& id) const
{
    const auto record = readRecord(id, m_root / (id + kPins));
    return record ? record->pins : std::vector<Pin>();
}

Result<std::vector<LayerRecord>> LayerFolder::list() const
{
    std::set<std::string> ids;
    std::error_code failed;
    for (fs::directory_iterator entry(m_root, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        const std::string id = name.substr(0, name.find('.'));
        if (isLayerId(id) && (name == id || name == id + kPins))
            ids.insert(id);
    }
    if (failed && failed != std::errc::no_such_file_or_directory)
        return errnoError(failed.value(), "read " + m_root.string());
    std::vector<LayerRecord> found;
    for (const std::string& id : ids) {
        auto record = find(id);
        if (!record)
            record = readRecord(id, m_root / (id + kPins));
        if (!record)
            continue;
        if (record->isInstalled)
            if (const auto fd = openLock(lockFile(id)))
                record->isInUse = ::flock(fd->get(), LOCK_EX | LOCK_NB) != 0;
        found.push_back(std::move(*record));
    }
    std::ranges::sort(found, std::ranges::greater(), &LayerRecord::lastUsedAt);
    return found;
}

Result<void> LayerFolder::remove(const std::string& id, bool forget) const
{
    std::error_code failed;
    const bool isThere = fs::exists(m_root / id, failed);
    if (!isLayerId(id) || (!isThere && !fs::exists(m_root / (id + kPins), failed)))
        return Error{ Errc::NotFound, "there is no layer " + id + "; see: sandglass layers list" };
    const auto fd = openLock(lockFile(id));
    if (!fd)
        return fd.error();
    if (::flock(fd->get(), LOCK_EX | LOCK_NB) != 0)
        return Error{ Errc::Busy,
                      "layer " + id + " is in use by a session, or being installed; end that first" };
    if (forget)
        fs::remove(m_root / (id + kPins), failed);
    fs::rename(m_root / id, m_root / (".new-" + id + "-removed"), failed); // disappears at once
    if (failed && isThere)
        return errnoError(failed.value(), "remove " + (m_root / id).string());
    abandon(m_root / (".new-" + id + "-removed"));
    return {};
}

} // namespace sg::layers
