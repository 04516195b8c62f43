#include "ui/bridge/world/live_files_query.h"

#include "core/base/printable.h"
#include "core/sessions/runner/session_files.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/world/session_file_query.h"

#include <QObject>

#include <chrono>
#include <set>

namespace sg::ui {
namespace {

constexpr std::size_t kMostFiles = 10'000;

using sessions::FileEntry;
using sessions::FileMap;
using sessions::SessionFile;

WorldFileRow rowOf(const std::string& path, std::int64_t size, WorldChange change)
{
    WorldFileRow row;
    row.path = text(printableText(path));
    row.size = size;
    row.change = change;
    return row;
}

// Compares size and time only; contents are read at the next checkpoint.
WorldChange changeOf(const SessionFile& now, const FileMap* kept)
{
    if (kept == nullptr)
        return WorldChange::Unknown;
    const auto before = kept->find(now.path);
    if (before == kept->end() || before->second.type != FileEntry::Type::File)
        return WorldChange::Added;
    return before->second.size == now.size && before->second.mtimeNs == now.modifiedNs ? WorldChange::Same
                                                                                       : WorldChange::Changed;
}

// Links and folders are not listed live, so they are taken from the checkpoint.
void addKept(const FileMap& kept, const sessions::SessionListing& listed, std::vector<WorldFileRow>& rows)
{
    std::set<std::string_view> present;
    for (const SessionFile& file : listed.files)
        present.insert(file.path);
    for (const auto& [path, entry] : kept) {
        if (entry.type == FileEntry::Type::File) {
            if (!listed.isCut && !present.contains(path))
                rows.push_back(rowOf(path, entry.size, WorldChange::Removed));
            continue;
        }
        WorldFileRow row = rowOf(path, 0, WorldChange::Same);
        row.type = static_cast<WorldFileRow::Type>(entry.type);
        if (entry.type == FileEntry::Type::Link)
            row.target = text(printableText(entry.content));
        rows.push_back(row);
    }
}

} // namespace

LiveFiles readLiveFiles(workbench::Workbench& workbench, const QString& thread, const QString& session)
{
    const auto begin = std::chrono::steady_clock::now();
    LiveFiles live;
    live.thread = thread;
    live.session = session;
    const auto link = linkToSession(workbench, thread, session);
    if (!link) {
        live.problem = QObject::tr("No session of this thread answers.");
        return live;
    }
    const auto listed = sessions::listSessionFiles(*link, sessions::FileRoot::Session, kMostFiles);
    if (!listed) {
        live.problem = userError(listed.error()).what;
        return live;
    }
    const auto kept = keptAt(workbench, thread, {}, session);
    const FileMap none;
    const FileMap* before = kept ? kept->files.get() : &none; // no checkpoint yet: all files are new
    for (const SessionFile& file : listed->files)
        live.files.push_back(rowOf(file.path, file.size, changeOf(file, before)));
    if (before != nullptr)
        addKept(*before, *listed, live.files);
    live.isCut = listed->isCut;
    live.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return live;
}

} // namespace sg::ui
