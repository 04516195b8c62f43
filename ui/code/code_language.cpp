#include "ui/code/code_language.h"

#include <QCoreApplication>

namespace sg::ui {

CodeLanguage languageOfFile(const QString& name)
{
    const QString ending = name.mid(name.lastIndexOf(QLatin1Char('.')) + 1).toLower();
    if (ending == QLatin1String("py"))
        return CodeLanguage::Python;
    if (ending == QLatin1String("jq"))
        return CodeLanguage::Jq;
    if (ending == QLatin1String("json"))
        return CodeLanguage::Json;
    if (ending == QLatin1String("md") || ending == QLatin1String("markdown"))
        return CodeLanguage::Markdown;
    return CodeLanguage::Plain;
}

QString languageTitle(CodeLanguage language)
{
    switch (language) {
    case CodeLanguage::Python: return QStringLiteral("Python");
    case CodeLanguage::Jq: return QStringLiteral("jq");
    case CodeLanguage::Json: return QStringLiteral("JSON");
    case CodeLanguage::Markdown: return QStringLiteral("Markdown");
    case CodeLanguage::Plain: break;
    }
    return QCoreApplication::translate("CodeLanguage", "Text");
}

} // namespace sg::ui
