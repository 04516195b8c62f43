#include "ui/connections/connection_model.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <algorithm>

namespace sg::ui {
namespace {

bool leadToTheSame(const ConnectionRow& a, const ConnectionRow& b)
{
    return a.kind == b.kind && a.api == b.api && a.sandboxes == b.sandboxes && a.routing == b.routing
        && a.key == b.key && a.authorities == b.authorities;
}

QString withoutScheme(const QString& address)
{
    return address.startsWith(QLatin1String("https://")) ? address.mid(8) : address;
}

} // namespace

void ConnectionModel::reset(const std::vector<ConnectionRow>& rows)
{
    beginResetModel();
    std::erase_if(m_answers, [&](const auto& answer) {
        const auto before = std::ranges::find(m_rows, answer.first, &ConnectionRow::name);
        const auto now = std::ranges::find(rows, answer.first, &ConnectionRow::name);
        return before == m_rows.end() || now == rows.end() || !leadToTheSame(*before, *now);
    });
    m_rows = rows;
    endResetModel();
}

void ConnectionModel::setAsking(const QString& name)
{
    m_answers[name].isAsked = true;
    changed(name);
}

void ConnectionModel::setHealth(const ConnectionHealth& health)
{
    if (rowOf(health.name) < 0)
        return; // it was removed meanwhile
    m_answers[health.name] = { health, false, true };
    changed(health.name);
}

void ConnectionModel::changed(const QString& name)
{
    if (const int row = rowOf(name); row >= 0)
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

const ConnectionHealth* ConnectionModel::healthOf(const QString& name) const
{
    const auto found = m_answers.find(name);
    return found == m_answers.end() || !found->second.isKnown ? nullptr : &found->second.health;
}

int ConnectionModel::rowOf(const QString& name) const
{
    const auto found = std::ranges::find(m_rows, name, &ConnectionRow::name);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

ConnectionModel::Counts ConnectionModel::counts() const
{
    Counts counts;
    for (const auto& [name, answer] : m_answers)
        if (answer.isKnown)
            ++(answer.health.error.what.isEmpty() ? counts.answering : counts.failing);
    return counts;
}

int ConnectionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ConnectionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ConnectionModel::words(const ConnectionRow& row, int column) const
{
    const ConnectionHealth* health = healthOf(row.name);
    const auto answer = m_answers.find(row.name);
    switch (column) {
    case NameColumn: return row.name;
    case AddressColumn: return withoutScheme(row.api);
    case AnswerColumn:
        if (answer != m_answers.end() && answer->second.isAsked)
            return tr("asking…");
        if (health == nullptr)
            return tr("not asked yet");
        if (health->isKeyRefused)
            return tr("key refused");
        return health->error.what.isEmpty() ? formatDuration(health->latencyMs / 1000)
                                            : tr("does not answer");
    case CanColumn: {
        QStringList given;
        for (const AbilityRow& ability : row.abilities)
            if (ability.isGiven)
                given << ability.name;
        return given.join(QStringLiteral(", "));
    }
    case KeyColumn: return row.key;
    default: return {};
    }
}

QVariant ConnectionModel::sign(const ConnectionRow& row) const
{
    const ConnectionHealth* health = healthOf(row.name);
    if (health == nullptr)
        return icon(QLatin1String("minus"), &Tokens::muted);
    if (!health->error.what.isEmpty())
        return icon(QLatin1String("error"), &Tokens::failed);
    return row.api.startsWith(QLatin1String("http://")) ? icon(QLatin1String("warn"), &Tokens::warn)
                                                        : icon(QLatin1String("check"), &Tokens::done);
}

QVariant ConnectionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ConnectionRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const ConnectionHealth* health = healthOf(row.name);
    if (role == Qt::DisplayRole)
        return words(row, index.column());
    if (role == Qt::DecorationRole && index.column() == NameColumn)
        return sign(row);
    if (role == Qt::AccessibleTextRole && index.column() == NameColumn)
        return tr("%1, %2").arg(row.name, words(row, AnswerColumn));
    if (role == Qt::ToolTipRole && index.column() == AnswerColumn && health != nullptr)
        return health->error.what.toHtmlEscaped();
    if (role == Qt::ToolTipRole && index.column() == AddressColumn)
        return row.api.startsWith(QLatin1String("http://"))
            ? tr("%1 is not encrypted: the key and all that sessions do can be read on the way").arg(row.api)
            : row.api;
    if (role == Qt::ToolTipRole && index.column() == KeyColumn)
        return tr("The name of the secret; its value stays where secrets are kept");
    return {};
}

QVariant ConnectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Name");
    case AddressColumn: return tr("Address");
    case AnswerColumn: return tr("Answers in");
    case CanColumn: return tr("Can");
    case KeyColumn: return tr("Key");
    default: return {};
    }
}

} // namespace sg::ui
