#include "ui/code/trailing_values.h"

#include <QRegularExpression>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr qsizetype kLongestValue = 40;
constexpr qsizetype kLongestLine = 2000; // of code that is read
constexpr int kMostNames = 4; // a line

// "df, dropped = ", "rows: int = ", "total += ", "for name, group in ", "with open(path) as file:"
QStringList assignedIn(const QString& line)
{
    static const QString names = QStringLiteral("\\(?((?:[A-Za-z_]\\w*\\s*,\\s*)*[A-Za-z_]\\w*)\\)?");
    static const QRegularExpression assignment(
        QStringLiteral("^\\s*") + names
        + QStringLiteral("\\s*(?::[^=]+)?(?:[-+*/%&|^@]|//|\\*\\*|>>|<<)?=(?!=)"));
    static const QRegularExpression loop(QStringLiteral("^\\s*(?:async\\s+)?for\\s+") + names
                                         + QStringLiteral("\\s+in\\b"));
    static const QRegularExpression opened(
        QStringLiteral("^\\s*(?:async\\s+)?with\\b.*\\bas\\s+([A-Za-z_]\\w*)\\s*:"));
    for (const QRegularExpression* rule : { &assignment, &loop, &opened })
        if (const auto found = rule->match(line); found.hasMatch()) {
            QStringList assigned;
            for (const QString& name : found.captured(1).split(QLatin1Char(',')))
                assigned << name.trimmed();
            return assigned;
        }
    return {};
}

// Tells whether the line opens or ends a text of several lines.
bool turnsText(const QString& line)
{
    return (line.count(QStringLiteral("\"\"\"")) + line.count(QStringLiteral("'''"))) % 2 == 1;
}

QString valueOf(const VariableRow& row)
{
    if (!row.shape.isEmpty())
        return row.name + QLatin1Char(' ') + row.shape;
    QString value = row.preview.simplified();
    if (value.isEmpty())
        value = row.type.section(QLatin1Char('.'), -1);
    if (value.size() > kLongestValue)
        value = value.left(kLongestValue - 1) + QStringLiteral("…");
    return row.name + QLatin1Char(' ') + value;
}

} // namespace

std::map<int, QString> trailingValues(const QString& text, const std::vector<VariableRow>& names)
{
    std::map<int, QStringList> lines;
    std::map<QString, int> last; // the line that assigned a name
    bool isText = false;
    int number = 0;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        ++number;
        const bool wasText = isText;
        isText = isText != turnsText(line);
        if (!wasText && line.size() <= kLongestLine)
            for (const QString& name : assignedIn(line)) {
                last[name] = number;
                lines[number] << name;
            }
    }
    std::map<int, QString> values;
    for (const auto& [line, assigned] : lines) {
        QStringList told;
        for (const QString& name : assigned) {
            const auto row = std::ranges::find(names, name, &VariableRow::name);
            if (row != names.end() && row->change != WorldChange::Removed && last[name] == line
                && told.size() < kMostNames)
                told << valueOf(*row);
        }
        told.removeDuplicates();
        if (!told.isEmpty())
            values[line] = told.join(QStringLiteral(", "));
    }
    return values;
}

} // namespace sg::ui
