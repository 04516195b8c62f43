#include "core/history/raw_value.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

// The bytes of values, page by page.
namespace sg::ui {
namespace {

RawPage readPage(history::RawValues& values, const RawPlace& place, qint64 offset)
{
    RawPage page;
    page.place = place;
    page.offset = offset;
    auto found =
        values.find(ThreadId(utf8(place.thread)), CheckpointId(utf8(place.checkpoint)), utf8(place.pointer));
    if (!found) {
        page.error = userError(found.error());
        return page;
    }
    page.type = text(found->type);
    page.module = text(found->object);
    page.size = found->size;
    auto bytes = values.read(*found, offset, kRawPage);
    if (!bytes)
        page.error = userError(bytes.error());
    else
        page.bytes = QByteArray(bytes->data(), static_cast<qsizetype>(bytes->size()));
    return page;
}

UserError saveTo(history::RawValues& values, const RawPlace& place, const QString& file)
{
    auto found =
        values.find(ThreadId(utf8(place.thread)), CheckpointId(utf8(place.checkpoint)), utf8(place.pointer));
    if (!found)
        return userError(found.error());
    auto saved = values.save(*found, utf8(file));
    return saved ? UserError() : userError(saved.error());
}

} // namespace

void ProjectBridge::loadRaw(const RawPlace& place, qint64 offset)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, place, offset] {
            history::RawValues values(workbench->project().checkpoints);
            return readPage(values, place, offset);
        },
        [this, asked = ++m_impl->raws](const RawPage& page) {
            if (asked == m_impl->raws)
                Q_EMIT rawLoaded(page);
        });
}

void ProjectBridge::saveRaw(const RawPlace& place, const QString& file)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, place, file] {
            history::RawValues values(workbench->project().checkpoints);
            return saveTo(values, place, file);
        },
        [this, file](const UserError& error) { Q_EMIT rawSaved(file, error); });
}

} // namespace sg::ui
