#include "ui/artifacts/copy_names.h"

#include <QObject>

#include <functional>
#include <optional>

namespace sg::ui {
namespace {

QString stemOf(const QString& name)
{
    const auto dot = name.lastIndexOf(QLatin1Char('.'));
    return dot > 0 ? name.left(dot) : name;
}

std::optional<QString> part(const QString& field, const ArtifactRow& artifact)
{
    if (field == QLatin1String("name"))
        return artifact.name;
    if (field == QLatin1String("stem"))
        return stemOf(artifact.name);
    if (field == QLatin1String("ending"))
        return artifact.name.mid(stemOf(artifact.name).size());
    if (field == QLatin1String("thread"))
        return artifact.thread;
    if (field == QLatin1String("step"))
        return QString::number(artifact.step);
    if (field == QLatin1String("node"))
        return artifact.node;
    if (field == QLatin1String("run"))
        return artifact.run;
    return std::nullopt;
}

// Copies text and replaces each {field} by the result of `fill`.
QString filled(const QString& pattern, const std::function<QString(const QString&)>& fill)
{
    QString made;
    qsizetype at = 0;
    while (at < pattern.size()) {
        const auto open = pattern.indexOf(QLatin1Char('{'), at);
        const auto close = open < 0 ? -1 : pattern.indexOf(QLatin1Char('}'), open);
        if (close < 0)
            break;
        made += pattern.mid(at, open - at) + fill(pattern.mid(open + 1, close - open - 1));
        at = close + 1;
    }
    return made + pattern.mid(at);
}

} // namespace

QString copyName(const QString& pattern, const ArtifactRow& artifact)
{
    const QString made = filled(
        pattern, [&artifact](const QString& field) { return part(field, artifact).value_or(QString()); });
    const QString flat = QString(made).replace(QLatin1Char('/'), QLatin1Char('-'));
    return flat.trimmed().isEmpty() ? artifact.name : flat;
}

QString patternFault(const QString& pattern)
{
    QString fault;
    const QString made = filled(pattern, [&fault](const QString& field) {
        if (!part(field, {}))
            fault = QObject::tr("{%1} is not known").arg(field);
        return field;
    });
    if (fault.isEmpty() && made.trimmed().isEmpty())
        fault = QObject::tr("a name must not be empty");
    return fault;
}

} // namespace sg::ui
