#include "core/projects/edit_journal.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/projects/project_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

// A journal file is a line "base HASH", which identifies the file that the edits were made on, and the
// graph's text. Older versions wrote the text alone. A folder with the same name holds drafts of code files,
// each under a hash of its name; older versions had one "code-HASH" for all windows.
namespace sg::projects {
namespace {

namespace fs = std::filesystem;

constexpr int kSlots = 64; // windows that may edit the same graph
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

// The hash is a flat name, whatever folders the code file is in.
std::string hashOfName(const std::string& name)
{
    return sha256Hex(name).substr(0, 24);
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
    std::optional<int> left; // the first slot with edits left by a crash
    for (int slot = 0; slot < kSlots; ++slot) {
        if (!lock(slot))
            m_isShared = true;
        else if (!left && isLeft(slot))
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

// Open file description locks make two windows of one process two owners. A file system without locks is
// assumed to have one window at a time.
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

fs::path EditJournal::drafts(int slot) const
{
    return file(slot).string() + ".code";
}

bool EditJournal::isLeft(int slot) const
{
    std::error_code failed;
    return fs::exists(file(slot), failed)
        || fs::directory_iterator(drafts(slot), failed) != fs::directory_iterator();
}

Result<void> EditJournal::checkSlot() const
{
    if (m_slot == kSlots)
        return Error{ Errc::Conflict,
                      "the graph is open in " + std::to_string(kSlots)
                          + " windows: what is edited here is kept only by saving it. Close some of them" };
    return {};
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
    if (auto checked = checkSlot(); !checked)
        return checked;
    fs::create_directories(path.parent_path(), failed);
    std::string whole(kBase);
    whole += textHash(base);
    whole += '\n';
    whole += text;
    if (auto written = writeFileAtomically(path, whole); !written)
        return std::move(written.error()).during("keep unsaved edits in " + path.string());
    return {};
}

std::string EditJournal::draft(const std::string& name) const
{
    const std::string hash = hashOfName(name);
    for (const fs::path& path : { drafts(m_slot) / hash, m_path.parent_path() / ("code-" + hash) })
        if (auto text = readFile(path, kMostCode); text && isText(*text))
            return std::move(*text);
    return {};
}

Result<void> EditJournal::keepDraft(const std::string& name, std::string_view text)
{
    const std::string hash = hashOfName(name);
    const fs::path path = drafts(m_slot) / hash;
    std::error_code failed;
    if (text.empty()) {
        fs::remove(path, failed);
        fs::remove(path.parent_path(), failed); // succeeds once the last draft is gone
    } else {
        if (auto checked = checkSlot(); !checked)
            return checked;
        fs::create_directories(path.parent_path(), failed);
        if (auto written = writeFileAtomically(path, text); !written)
            return std::move(written.error()).during("keep unsaved code in " + path.string());
    }
    fs::remove(m_path.parent_path() / ("code-" + hash), failed);
    return {};
}

std::string textHash(std::string_view text)
{
    return sha256Hex(text);
}

} // namespace sg::projects
