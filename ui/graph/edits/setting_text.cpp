#include "ui/graph/edits/setting_text.h"

#include "core/base/json.h"

#include <QStringList>

namespace sg::ui {

QString settingText(const Value* value)
{
    if (!value)
        return {};
    return QString::fromStdString(value->isString() ? value->asString() : toJson(*value, JsonStyle::Spaced));
}

void setSettingText(ValueMap& settings, const std::string& key, const QString& text)
{
    if (text.isEmpty())
        settings.erase(Value(key));
    else
        settings.set(Value(key), Value(text.toStdString()));
}

std::vector<std::string> namesIn(const QString& text)
{
    std::vector<std::string> names;
    for (const QString& name : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names.push_back(name.trimmed().toStdString());
    return names;
}

QString joinedNames(const std::vector<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.join(QStringLiteral(", "));
}

std::optional<std::vector<std::string>> listIn(const QString& text)
{
    if (text.trimmed() == QLatin1String("[]"))
        return std::vector<std::string>();
    std::vector<std::string> names = namesIn(text);
    return names.empty() ? std::nullopt : std::optional(std::move(names));
}

QString listText(const std::optional<std::vector<std::string>>& names)
{
    return names && names->empty() ? QStringLiteral("[]")
                                   : joinedNames(names.value_or(std::vector<std::string>()));
}

} // namespace sg::ui
