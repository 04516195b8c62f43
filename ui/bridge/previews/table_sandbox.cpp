#include "ui/bridge/previews/table_sandbox.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "ui/bridge/previews/table_reader.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QObject>
#include <QStandardPaths>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::ui {
namespace {

constexpr auto kDeadline = std::chrono::seconds(60); // enough to sort tens of millions of rows
constexpr auto kIdle = std::chrono::minutes(10);

QStringList strings(const Value& list)
{
    QStringList made;
    if (list.isList())
        for (const Value& item : list.asList())
            made << (item.isString() ? text(printableText(item.asString())) : QString());
    return made;
}

// Puts the content where only the preview's sandbox sees it. A hard link costs nothing and cannot be written
// through: the folder is mounted read-only, and stored contents are read-only.
Result<void> place(const fs::path& blob, const fs::path& folder, const std::string& name)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (fs::exists(folder / name, failed))
        return {};
    for (const auto& old : fs::directory_iterator(folder, failed)) {
        std::error_code ignored;
        fs::remove(old.path(), ignored); // only the shown table may be readable
    }
    fs::create_hard_link(blob, folder / name, failed);
    if (failed)
        fs::copy_file(blob, folder / name, fs::copy_options::overwrite_existing, failed);
    if (failed)
        return Error{ Errc::Io, "the preview could not be prepared: " + failed.message() };
    return {};
}

// The project's data folder is invisible to sandboxes. Only the user can enter the parent folder.
fs::path folderFor(const projects::ProjectPaths& project)
{
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
    const fs::path parent =
        (cache.isEmpty() ? fs::temp_directory_path() : fs::path(utf8(cache))) / "sandglass-preview";
    std::error_code failed;
    fs::create_directories(parent, failed);
    fs::permissions(parent, fs::perms::owner_all, failed);
    return parent / xxh3Hex(project.data.string());
}

// The filter as a Python value; a JSON string is also a Python string.
std::string pythonFilter(const TableFilter& filter)
{
    if (filter.column < 0)
        return "None";
    static constexpr char kTests[] = { ':', '=', '<', '>' };
    return "(" + std::to_string(filter.column) + ", '" + kTests[static_cast<int>(filter.test)] + "', "
        + toJson(Value(utf8(filter.value))) + ")";
}

} // namespace

bool TableSandbox::reads(const QString& name)
{
    for (const char* ending : { ".parquet", ".arrow", ".feather", ".ipc" })
        if (name.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return true;
    return false;
}

Result<std::string> TableSandbox::ask(const ArtifactRow& artifact, const std::string& question)
{
    const fs::path folder = folderFor(m_workbench.project());
    const std::string name = utf8(artifact.sha256);
    if (auto placed = place(fs::path(utf8(artifact.blob)), folder, name); !placed)
        return placed.error();
    auto spec = m_workbench.sessionSpec();
    if (!spec)
        return spec.error();
    spec->mode = { sessions::SessionStorage::Tmpfs, sessions::DatasetAccess::LocalRo };
    spec->datasetFolder = folder;
    spec->keep = false;
    // The maker of the file must not reach anything of the project through it.
    spec->secrets.clear();
    spec->egress.clear();
    spec->egressTrusts.clear();
    spec->lifetime = { kIdle, std::chrono::milliseconds(0) };
    spec->preload = { "json", "pyarrow.parquet" };
    auto session = m_workbench.sessions().acquire(ThreadId(kThread), *spec);
    if (!session)
        return session.error();
    std::string printed;
    sessions::CellHandlers handlers;
    handlers.output = [&printed](const sessions::CellOutput& output) {
        if (output.stream == sessions::CellOutput::Stream::Stdout)
            printed += output.bytes;
    };
    sessions::CellLimits limits;
    limits.deadline = kDeadline;
    const std::string code = std::string("if '_sandglass_page' not in globals():\n    exec(")
        + toJson(Value(std::string(kTableReader))) + ")\n_sandglass_" + question.substr(0, question.find('('))
        + "('/data/" + name + "', " + question.substr(question.find('(') + 1) + "\n";
    const sessions::CellResult result = (*session)->runCell(code, limits, {}, handlers, {});
    if (result.error)
        return Error{ Errc::Corrupt, result.error->type + ": " + result.error->message };
    return printed;
}

ArtifactPreview TableSandbox::page(const ArtifactRow& artifact, qint64 row, const TableOrder& order)
{
    const std::lock_guard lock(m_mutex);
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    const auto answer =
        ask(artifact,
            "page(" + std::to_string(row / kPageRows * kPageRows) + ", " + std::to_string(kPageRows) + ", "
                + std::to_string(order.column) + ", " + (order.isDescending ? "True, " : "False, ")
                + pythonFilter(order.filter) + ")");
    const auto parsed = answer ? parseJson(*answer) : Result<Value>(answer.error());
    if (!parsed) {
        preview.note =
            QObject::tr("The table could not be read: %1").arg(text(printableText(parsed.error().message)));
        return preview;
    }
    preview.kind = ArtifactPreview::Kind::Table;
    preview.columns = strings((*parsed)["columns"]);
    preview.columnTypes = strings((*parsed)["types"]);
    preview.firstRow = std::max<std::int64_t>(0, parsed->intOr("first", 0));
    preview.totalRows = parsed->intOr("total", -1);
    if ((*parsed)["rows"].isList())
        for (const Value& each : (*parsed)["rows"].asList())
            preview.rows.push_back(strings(each));
    const auto behind = preview.firstRow + static_cast<qint64>(preview.rows.size());
    preview.hasMore = preview.totalRows >= 0 ? behind < preview.totalRows
                                             : (*parsed)["more"].isBool() && (*parsed)["more"].asBool();
    return preview;
}

ColumnFacts TableSandbox::facts(const ArtifactRow& artifact, int column)
{
    const std::lock_guard lock(m_mutex);
    ColumnFacts facts;
    facts.artifact = artifact.id;
    facts.column = column;
    const auto answer = ask(artifact, "facts(" + std::to_string(column) + ")");
    const auto parsed = answer ? parseJson(*answer) : Result<Value>(answer.error());
    if (!parsed) {
        facts.problem = text(printableText(parsed.error().message));
        return facts;
    }
    facts.empty = parsed->intOr("empty", 0);
    facts.distinct = parsed->intOr("distinct", -1);
    facts.least = text(printableText(parsed->stringOr("least", "")));
    facts.most = text(printableText(parsed->stringOr("most", "")));
    facts.values = strings((*parsed)["values"]);
    if ((*parsed)["bars"].isList())
        for (const Value& bar : (*parsed)["bars"].asList())
            facts.bars.push_back(bar.isDouble() ? bar.asDouble() : 0);
    return facts;
}

} // namespace sg::ui
