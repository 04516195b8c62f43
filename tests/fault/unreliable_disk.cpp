#include "tests/fault/unreliable_disk.h"

#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <new>
#include <utility>

namespace sg::fault {
namespace fs = std::filesystem;

namespace {

int checkpointPagesOfDisk = 1000; // of the one disk that there is

std::string contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

int setCheckpointPages(sqlite3* db, char**, const void*)
{
    return sqlite3_wal_autocheckpoint(db, checkpointPagesOfDisk);
}

using EntryPoint = void (*)();
EntryPoint entryPoint()
{
    return reinterpret_cast<EntryPoint>(setCheckpointPages);
}

} // namespace

struct UnreliableDisk::Vfs {
    sqlite3_vfs vfs{};
    sqlite3_vfs* real = nullptr;

    mutable std::mutex mutex;
    // Guarded by mutex:
    std::map<std::string, DiskFile> files;
    std::int64_t changes = 0;
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    std::int64_t syncs = 0;
    std::int64_t failAt = 0; // 0: never
    DiskFault fault = DiskFault::PowerCut;
    bool forEver = false;
    bool failed = false;

    static Vfs& of(sqlite3_vfs* vfs) { return *static_cast<Vfs*>(vfs->pAppData); }

    // With the mutex held. What the operation must return; SQLITE_OK: go on.
    int check(DiskFault kind, std::int64_t count, int code)
    {
        if (failed && fault == DiskFault::PowerCut)
            return SQLITE_IOERR;
        if (failAt == 0 || fault != kind || count < failAt || (failed && !forEver))
            return SQLITE_OK;
        failed = true;
        return code;
    }
    [[nodiscard]] bool cutNow() const
    {
        return fault == DiskFault::PowerCut && failAt != 0 && changes >= failAt;
    }
};

namespace {

constexpr int kLogs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;

struct File {
    sqlite3_file base;
    UnreliableDisk::Vfs* disk;
    bool syncsFolder; // with the first sync of a log or journal, SQLite syncs its folder too
    const char* path; // SQLite's, valid until the file is closed; null: a temporary file
    [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File& fileOf(sqlite3_file* file)
{
    return *reinterpret_cast<File*>(file);
}

sqlite3_file* realOf(sqlite3_file* file)
{
    return fileOf(file).real();
}

// Notes a change, or cuts the power in the middle of it; then calls the real one.
template<typename Real>
int change(File& file, DiskFile::Change noted, Real real)
{
    UnreliableDisk::Vfs& disk = *file.disk;
    const std::lock_guard lock(disk.mutex);
    ++disk.changes;
    ++disk.writes;
    if (disk.failed && disk.fault == DiskFault::PowerCut)
        return SQLITE_IOERR_WRITE;
    if (const int code = disk.check(DiskFault::Full, disk.writes, SQLITE_FULL); code != SQLITE_OK)
        return code;
    if (const int code = disk.check(DiskFault::WriteError, disk.writes, SQLITE_IOERR_WRITE);
        code != SQLITE_OK)
        return code;
    if (file.path != nullptr)
        disk.files[file.path].changes.push_back(std::move(noted));
    if (disk.cutNow()) {
        disk.failed = true;
        return SQLITE_IOERR_WRITE;
    }
    return real();
}

int closeFile(sqlite3_file* file)
{
    return realOf(file)->pMethods->xClose(realOf(file));
}

int readFile(sqlite3_file* file, void* data, int size, sqlite3_int64 offset)
{
    {
        UnreliableDisk::Vfs& disk = *fileOf(file).disk;
        const std::lock_guard lock(disk.mutex);
        if (const int code = disk.check(DiskFault::ReadError, ++disk.reads, SQLITE_IOERR_READ);
            code != SQLITE_OK)
            return code == SQLITE_IOERR ? SQLITE_IOERR_READ : code;
    }
    return realOf(file)->pMethods->xRead(realOf(file), data, size, offset);
}

int writeFile(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset)
{
    DiskFile::Change noted{ DiskFile::Change::Kind::Write, offset,
                            std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) };
    return change(fileOf(file), std::move(noted),
                  [&] { return realOf(file)->pMethods->xWrite(realOf(file), data, size, offset); });
}

int truncateFile(sqlite3_file* file, sqlite3_int64 size)
{
    return change(fileOf(file), { DiskFile::Change::Kind::Truncate, size, {} },
                  [&] { return realOf(file)->pMethods->xTruncate(realOf(file), size); });
}

// The real file needs no sync: the machine stays on.
int syncFile(sqlite3_file* file, int)
{
    UnreliableDisk::Vfs& disk = *fileOf(file).disk;
    const std::lock_guard lock(disk.mutex);
    ++disk.changes;
    if (disk.failed && disk.fault == DiskFault::PowerCut)
        return SQLITE_IOERR_FSYNC;
    if (const int code = disk.check(DiskFault::SyncError, ++disk.syncs, SQLITE_IOERR_FSYNC);
        code != SQLITE_OK)
        return code;
    if (disk.cutNow()) {
        disk.failed = true;
        return SQLITE_IOERR_FSYNC;
    }
    if (fileOf(file).path != nullptr)
        disk.files[fileOf(file).path].sync();
    if (std::exchange(fileOf(file).syncsFolder, false)) // there is one folder only
        for (auto& [path, other] : disk.files)
            other.syncRemoval();
    return SQLITE_OK;
}

const sqlite3_io_methods* methods()
{
    static const sqlite3_io_methods all = [] {
        sqlite3_io_methods m{};
        m.iVersion = 2; // no memory mapping
        m.xClose = closeFile;
        m.xRead = readFile;
        m.xWrite = writeFile;
        m.xTruncate = truncateFile;
        m.xSync = syncFile;
        m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
            return realOf(f)->pMethods->xFileSize(realOf(f), size);
        };
        m.xLock = [](sqlite3_file* f, int lock) { return realOf(f)->pMethods->xLock(realOf(f), lock); };
        m.xUnlock = [](sqlite3_file* f, int lock) { return realOf(f)->pMethods->xUnlock(realOf(f), lock); };
        m.xCheckReservedLock = [](sqlite3_file* f, int* held) {
            return realOf(f)->pMethods->xCheckReservedLock(realOf(f), held);
        };
        m.xFileControl = [](sqlite3_file* f, int op, void* argument) {
            return realOf(f)->pMethods->xFileControl(realOf(f), op, argument);
        };
        m.xSectorSize = [](sqlite3_file* f) { return realOf(f)->pMethods->xSectorSize(realOf(f)); };
        m.xDeviceCharacteristics = [](sqlite3_file* f) {
            return realOf(f)->pMethods->xDeviceCharacteristics(realOf(f));
        };
        m.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
            return realOf(f)->pMethods->xShmMap(realOf(f), page, size, extend, out);
        };
        m.xShmLock = [](sqlite3_file* f, int offset, int count, int flags) {
            return realOf(f)->pMethods->xShmLock(realOf(f), offset, count, flags);
        };
        m.xShmBarrier = [](sqlite3_file* f) { realOf(f)->pMethods->xShmBarrier(realOf(f)); };
        m.xShmUnmap = [](sqlite3_file* f, int remove) {
            return realOf(f)->pMethods->xShmUnmap(realOf(f), remove);
        };
        return m;
    }();
    return &all;
}

int openFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    UnreliableDisk::Vfs& disk = UnreliableDisk::Vfs::of(vfs);
    File& made =
        *new (file) File{ {}, &disk, (flags & kLogs) != 0 && (flags & SQLITE_OPEN_CREATE) != 0, name };
    made.real()->pMethods = nullptr;
    const bool existed = name != nullptr && fs::exists(name);
    const int code = disk.real->xOpen(disk.real, name, made.real(), flags, outFlags);
    if (code != SQLITE_OK)
        return code; // pMethods stays null: SQLite does not close it
    made.base.pMethods = methods();
    if (name != nullptr) {
        const std::lock_guard lock(disk.mutex);
        if (existed && !disk.files.contains(name))
            disk.files[name].synced = contentOf(name); // was there before the machine was switched on
        else
            disk.files[name];
    }
    return SQLITE_OK;
}

int deleteFile(sqlite3_vfs* vfs, const char* name, int syncFolder)
{
    UnreliableDisk::Vfs& disk = UnreliableDisk::Vfs::of(vfs);
    const std::lock_guard lock(disk.mutex);
    ++disk.changes;
    if (disk.failed && disk.fault == DiskFault::PowerCut)
        return SQLITE_IOERR_DELETE;
    if (disk.cutNow()) {
        disk.failed = true;
        return SQLITE_IOERR_DELETE;
    }
    if (syncFolder != 0)
        disk.files[name] = {};
    else
        disk.files[name].changes.push_back({ DiskFile::Change::Kind::Remove, 0, {} });
    return disk.real->xDelete(disk.real, name, 0);
}

} // namespace

UnreliableDisk::UnreliableDisk(int checkpointPages)
    : m_vfs(std::make_unique<Vfs>())
{
    checkpointPagesOfDisk = checkpointPages;
    m_vfs->real = sqlite3_vfs_find(nullptr);
    sqlite3_vfs& vfs = m_vfs->vfs;
    vfs = *m_vfs->real;
    vfs.zName = "unreliable";
    vfs.pAppData = m_vfs.get();
    vfs.pNext = nullptr;
    vfs.szOsFile = static_cast<int>(sizeof(File)) + m_vfs->real->szOsFile;
    vfs.xOpen = openFile;
    vfs.xDelete = deleteFile;
    vfs.xAccess = [](sqlite3_vfs* v, const char* name, int flags, int* out) {
        return Vfs::of(v).real->xAccess(Vfs::of(v).real, name, flags, out);
    };
    vfs.xFullPathname = [](sqlite3_vfs* v, const char* name, int size, char* out) {
        return Vfs::of(v).real->xFullPathname(Vfs::of(v).real, name, size, out);
    };
    sqlite3_vfs_register(&vfs, 1);
    sqlite3_auto_extension(entryPoint());
}

UnreliableDisk::~UnreliableDisk()
{
    sqlite3_cancel_auto_extension(entryPoint());
    sqlite3_vfs_unregister(&m_vfs->vfs);
    sqlite3_vfs_register(m_vfs->real, 1);
}

void UnreliableDisk::failAt(std::int64_t n, DiskFault fault, bool forEver)
{
    const std::lock_guard lock(m_vfs->mutex);
    m_vfs->changes = m_vfs->reads = m_vfs->writes = m_vfs->syncs = 0;
    m_vfs->failAt = n;
    m_vfs->fault = fault;
    m_vfs->forEver = forEver;
    m_vfs->failed = false;
}

void UnreliableDisk::work()
{
    failAt(0, DiskFault::PowerCut, false);
}

bool UnreliableDisk::hasFailed() const
{
    const std::lock_guard lock(m_vfs->mutex);
    return m_vfs->failed;
}

std::int64_t UnreliableDisk::changes() const
{
    const std::lock_guard lock(m_vfs->mutex);
    return m_vfs->changes;
}

std::int64_t UnreliableDisk::reads() const
{
    const std::lock_guard lock(m_vfs->mutex);
    return m_vfs->reads;
}

bool UnreliableDisk::writeImage(const fs::path& database, const fs::path& image,
                                std::mt19937_64& random) const
{
    const std::lock_guard lock(m_vfs->mutex);
    bool any = false;
    for (const char* side : { "", "-wal", "-journal" }) {
        const auto file = m_vfs->files.find(database.string() + side);
        if (file == m_vfs->files.end())
            continue;
        if (const auto content = file->second.afterPowerCut(random)) {
            std::ofstream(image.string() + side, std::ios::binary) << *content;
            any = true;
        }
    }
    // The index of the log is no more than a help: stale or garbage, it must not matter.
    if (any && random() % 3 == 0)
        std::ofstream(image.string() + "-shm", std::ios::binary)
            << std::string(32768, static_cast<char>(random()));
    return any;
}

} // namespace sg::fault
