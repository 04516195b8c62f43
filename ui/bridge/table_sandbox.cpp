#include "ui/bridge/table_sandbox.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "ui/bridge/row_conversion.h"

#include <QObject>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::ui {
namespace {

constexpr auto kDeadline = std::chrono::seconds(20);
constexpr auto kIdle = std::chrono::minutes(10);

// Prints one line of JSON; what the file says is data in it.
constexpr const char* kReader = R"(
def _sandglass_page(path, offset, limit, files={}):
    import json
    import pyarrow as pa

    def batches_of_parquet():
        import pyarrow.parquet as parquet
        if path not in files:
            files.clear()
            files[path] = parquet.ParquetFile(path, memory_map=True)
        file = files[path]
        total, first, at, groups = file.metadata.num_rows, 0, 0, []
        start = min(offset, max(0, (total - 1) // limit * limit))
        for group in range(file.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if at + count > start and at < start + limit:
                first = first if groups else at
                groups.append(group)
            at += count
        names = file.schema_arrow.names[:200]
        return file.schema_arrow, total, first, start, file.iter_batches(
            batch_size=limit if start == first else 16384, row_groups=groups[:64], columns=names) if groups else ()

    def batches_of_arrow():
        source = pa.memory_map(path)
        try:
            reader = pa.ipc.open_file(source)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
            total = sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))
        except pa.ArrowInvalid:
            source.seek(0)
            reader = pa.ipc.open_stream(source)
            batches, total = reader, -1
        start = offset if total < 0 else min(offset, max(0, (total - 1) // limit * limit))
        return reader.schema, total, 0, start, batches

    with open(path, 'rb') as file:
        head = file.read(4)
    schema, total, at, start, batches = batches_of_parquet() if head == b'PAR1' else batches_of_arrow()
    names = schema.names[:200]
    columns, taken, more = [[] for _ in names], 0, False
    room = max(20, 3_000_000 // (limit * max(1, len(names))))
    for batch in batches:
        if at + batch.num_rows > start and taken < limit:
            piece = batch.slice(max(0, start - at), limit - taken)
            for index in range(len(names)):
                columns[index].extend('' if value is None else str(value)[:room] for value in piece.column(index).to_pylist())
            taken += piece.num_rows
        at += batch.num_rows
        if taken >= limit:
            more = at > start + taken
            break
    print(json.dumps({'columns': names, 'types': [str(t) for t in schema.types[:200]], 'first': start, 'rows': list(zip(*columns)),
                      'total': total, 'more': more or (total < 0 and taken >= limit)}))
)";

QStringList strings(const Value& list)
{
    QStringList made;
    if (list.isList())
        for (const Value& item : list.asList())
            made << (item.isString() ? text(printableText(item.asString())) : QString());
    return made;
}

// A name of the content where only the preview's sandbox sees it. A link costs nothing and cannot be written
// through: the folder is mounted read-only and contents are.
Result<void> place(const fs::path& blob, const fs::path& folder, const std::string& name)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (fs::exists(folder / name, failed))
        return {};
    for (const auto& old : fs::directory_iterator(folder, failed)) {
        std::error_code ignored;
        fs::remove(old.path(), ignored); // only what is shown can be read
    }
    fs::create_hard_link(blob, folder / name, failed);
    if (failed)
        fs::copy_file(blob, folder / name, fs::copy_options::overwrite_existing, failed);
    if (failed)
        return Error{ Errc::Io, "the preview could not be prepared: " + failed.message() };
    return {};
}

} // namespace

bool TableSandbox::reads(const QString& name)
{
    for (const char* ending : { ".parquet", ".arrow", ".feather", ".ipc" })
        if (name.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return true;
    return false;
}

Result<std::string> TableSandbox::ask(const ArtifactRow& artifact, qint64 row)
{
    const fs::path folder = m_workbench.project().data / "preview";
    const std::string name = utf8(artifact.sha256);
    if (auto placed = place(fs::path(utf8(artifact.blob)), folder, name); !placed)
        return placed.error();
    auto spec = m_workbench.sessionSpec();
    if (!spec)
        return spec.error();
    spec->mode = { sessions::SessionStorage::Tmpfs, sessions::DatasetAccess::LocalRo };
    spec->datasetFolder = folder;
    spec->keep = false;
    // Whoever made the file gets nothing of the project by it.
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
        + toJson(Value(std::string(kReader))) + ")\n_sandglass_page('/data/" + name + "', "
        + std::to_string(row / kPageRows * kPageRows) + ", " + std::to_string(kPageRows) + ")\n";
    const sessions::CellResult result = (*session)->runCell(code, limits, {}, handlers, {});
    if (result.error)
        return Error{ Errc::Corrupt, result.error->type + ": " + result.error->message };
    return printed;
}

ArtifactPreview TableSandbox::page(const ArtifactRow& artifact, qint64 row)
{
    const std::lock_guard lock(m_mutex);
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    const auto answer = ask(artifact, row);
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

} // namespace sg::ui
