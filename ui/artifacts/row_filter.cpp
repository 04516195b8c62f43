#include "ui/artifacts/row_filter.h"

#include <QObject>

namespace sg::ui {
namespace {

QString withoutQuotes(const QString& word)
{
    const QString trimmed = word.trimmed();
    const bool isQuoted =
        trimmed.size() >= 2 && trimmed.startsWith(QLatin1Char('"')) && trimmed.endsWith(QLatin1Char('"'));
    return isQuoted ? trimmed.mid(1, trimmed.size() - 2) : trimmed;
}

} // namespace

TableFilter tableFilterOf(const QString& words, const QStringList& columns, QString& fault)
{
    TableFilter filter;
    const QString asked = words.trimmed();
    if (asked.isEmpty())
        return filter;
    qsizetype longest = -1;
    for (int column = 0; column < columns.size(); ++column) {
        for (const QString& name :
             { columns[column], QLatin1Char('"') + columns[column] + QLatin1Char('"') }) {
            const QString rest = asked.mid(name.size()).trimmed();
            const qsizetype test = rest.isEmpty() ? -1 : QStringLiteral(":=<>").indexOf(rest.front());
            if (name.size() <= longest || test < 0 || !asked.startsWith(name, Qt::CaseInsensitive))
                continue;
            longest = name.size();
            filter = { column, static_cast<TableFilter::Test>(test), withoutQuotes(rest.mid(1)) };
        }
    }
    if (longest < 0)
        fault = QObject::tr("Begin with a column: %1 > 10, or = < and : for a part.")
                    .arg(columns.value(0, QStringLiteral("mass")));
    else if (filter.value.isEmpty()) // the value is still being typed
        filter = {};
    return filter;
}

} // namespace sg::ui
