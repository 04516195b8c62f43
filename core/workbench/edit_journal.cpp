#include "core/workbench/edit_journal.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/workbench/graph_saving.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

// A journal's file is the graph's text below a line that says what it was made on: "base HASH". Without that
// line it is the text alone, as older versions wrote it.
namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

constexpr int kSlots = 64; // windows with the same graph
constexpr std::string_view kBase = "base ";

struct flock byteOf(int slot, short type)
{
    struct flock lock { };
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = slot;
    lock.l_len = 1;
    return lock;
}

} // namespace

EditJournal::EditJournal(const ProjectPaths& project)
    : m_path(project.data / "journal" / project.graph.filename())
{
    std::error_code failed;
    fs::create_directories(m_path.parent_path(), failed);
    m_locks =
        Fd(::open((m_path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    std::optional<int> unused;
    std::optional<int> left; // by a crash
    for (int slot = 0; slot < kSlots; ++slot) {
        if (!lock(slot))
            m_isShared = true;
        else if (!left && fs::exists(file(slot), failed))
            left = slot;
        else if (!unused)
            unused = slot;
        else
            unlock(slot);
    }
    m_slot = left ? *left : unused.value_or(kSlots);
    if (left && unused)
        unlock(*unused);
}

// Open file description locks: two windows of one process are two owners. A file system without locks has one
// window at a time, as far as can be told.
bool EditJournal::lock(int slot)
{
    struct flock wanted = byteOf(slot, F_WRLCK);
    return !m_locks.isOpen() || ::fcntl(m_locks.get(), F_OFD_SETLK, &wanted) == 0
        || (errno != EAGAIN && errno != EACCES);
}

void EditJournal::unlock(int slot)
{
    struct flock given = byteOf(slot, F_UNLCK);
    if (m_locks.isOpen())
        ::fcntl(m_locks.get(), F_OFD_SETLK, &given);
}

fs::path EditJournal::file(int slot) const
{
    return slot == 0 ? m_path : fs::path(m_path.string() + "-" + std::to_string(slot + 1));
}

bool EditJournal::isOf(const ProjectPaths& project) const
{
    return m_path == project.data / "journal" / project.graph.filename();
}

EditJournal::Edits EditJournal::read() const
{
    auto text = readFile(file(m_slot), kMostGraphText + 256);
    if (!text)
        return {};
    Edits edits;
    const std::size_t end = text->find('\n');
    if (text->starts_with(kBase) && end != std::string::npos) {
        edits.base = text->substr(kBase.size(), end - kBase.size());
        text->erase(0, end + 1);
    }
    edits.text = std::move(*text);
    return edits;
}

Result<void> EditJournal::keep(std::string_view text, std::string_view base)
{
    const fs::path path = file(m_slot);
    std::error_code failed;
    if (text.empty()) {
        fs::remove(path, failed);
        return {};
    }
    if (m_slot == kSlots)
        return Error{ Errc::Conflict,
                      "the graph is open in " + std::to_string(kSlots)
                          + " windows: what is edited here is kept only by saving it. Close some of them" };
    fs::create_directories(path.parent_path(), failed);
    std::string whole(kBase);
    whole += textHash(base);
    whole += '\n';
    whole += text;
    if (auto written = writeFileAtomically(path, whole); !written)
        return std::move(written.error()).during("keep unsaved edits in " + path.string());
    return {};
}

std::string textHash(std::string_view text)
{
    return sha256Hex(text);
}

} // namespace sg::workbench
