#include "ui/replay/staged_patch.h"

#include "core/base/json.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kLongestEdited = 65536; // bytes of JSON that can be edited in one line

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

StagedPatch::StagedPatch(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void StagedPatch::reset(const Value& values, const PatchRules& rules)
{
    beginResetModel();
    m_rows.clear();
    m_rules = rules;
    if (values.isMap())
        for (const auto& [name, value] : values.asMap()) {
            const std::string json = toJson(value);
            Row row{ .channel = text(name.asString()), .stored = value, .storedText = text(json) };
            if (json.size() > kLongestEdited) {
                row.storedText = tr("%1 bytes, too long to be edited here").arg(json.size());
                row.isEditable = false;
            } else if (m_rules.locked.contains(row.channel) || m_rules.typed.contains(row.channel)) {
                row.isEditable = false;
            }
            m_rows.push_back(std::move(row));
        }
    endResetModel();
    Q_EMIT changed();
}

void StagedPatch::revertAll()
{
    for (int row = 0; row < rowCount(); ++row)
        revertRow(row);
}

void StagedPatch::revertRow(int row)
{
    Row& at = m_rows[static_cast<std::size_t>(row)];
    if (at.typed.isNull())
        return;
    at.typed = QString();
    at.problem.clear();
    rowChanged(row);
}

int StagedPatch::changeCount() const
{
    return static_cast<int>(
        std::ranges::count_if(m_rows, [](const Row& row) { return !row.typed.isNull(); }));
}

bool StagedPatch::isValid() const
{
    return std::ranges::all_of(m_rows, [](const Row& row) { return row.problem.isEmpty(); });
}

Value StagedPatch::values() const
{
    ValueMap changes;
    for (const Row& row : m_rows)
        if (!row.typed.isNull())
            changes.set(row.channel.toStdString(),
                        m_rules.reduced.contains(row.channel)
                            ? Value::map({ { "__overwrite__", row.staged } })
                            : row.staged);
    return Value(std::move(changes));
}

int StagedPatch::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StagedPatch::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StagedPatch::data(const QModelIndex& index, int role) const
{
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool changed = !row.typed.isNull();
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Channel)
            return row.channel;
        return changed ? row.typed : row.storedText;
    case Qt::EditRole: return changed ? row.typed : row.storedText;
    case Qt::ToolTipRole:
        if (m_rules.locked.contains(row.channel))
            return tr("Messages keep their types: add some with sandglass update instead.");
        if (m_rules.typed.contains(row.channel))
            return tr("This value holds types that JSON does not have, such as a date or an object: written "
                      "from here it would lose them.");
        return row.problem.isEmpty() ? QVariant() : QVariant(row.problem);
    case Qt::AccessibleTextRole:
        if (index.column() == Channel)
            return row.channel;
        return changed ? tr("%1, was %2").arg(row.typed, row.storedText) : row.storedText;
    case OldTextRole: return changed ? row.storedText : QString();
    case ChangedRole: return changed;
    case ProblemRole: return row.problem;
    default: return {};
    }
}

QVariant StagedPatch::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Channel ? tr("Channel") : tr("Value as JSON");
}

Qt::ItemFlags StagedPatch::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Text && m_rows[static_cast<std::size_t>(index.row())].isEditable)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool StagedPatch::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    const QString typed = value.toString().trimmed();
    Row& row = m_rows[static_cast<std::size_t>(index.row())];
    auto parsed = parseJson(typed.toStdString());
    if (parsed && *parsed == row.stored) {
        revertRow(index.row());
        return true;
    }
    row.typed = typed.isNull() ? QStringLiteral("") : typed;
    row.problem = parsed ? QString() : tr("This is not JSON: %1").arg(text(parsed.error().message));
    row.staged = parsed ? std::move(*parsed) : Value();
    rowChanged(index.row());
    return true;
}

void StagedPatch::rowChanged(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    Q_EMIT changed();
}

} // namespace sg::ui
