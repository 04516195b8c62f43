#include "ui/widgets/rich_sentence.h"

#include "ui/widgets/fonts.h"

#include <QFontInfo>

namespace sg::ui {

QString richSentence(const QString& text)
{
    QString html;
    bool code = false;
    bool bold = false;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar sign = text.at(at);
        if (sign == QLatin1Char('`')) {
            html += code ? QStringLiteral("</span>")
                         : QStringLiteral("<span style=\"font-family:'%1'\">")
                               .arg(QFontInfo(monoFont()).family().toHtmlEscaped());
            code = !code;
        } else if (!code && sign == QLatin1Char('*') && at + 1 < text.size()
                   && text.at(at + 1) == QLatin1Char('*')) {
            html += bold ? QStringLiteral("</b>") : QStringLiteral("<b>");
            bold = !bold;
            ++at;
        } else if (sign == QLatin1Char('\n')) {
            html += QStringLiteral("<br>");
        } else {
            html += QString(sign).toHtmlEscaped();
        }
    }
    if (code)
        html += QStringLiteral("</span>");
    if (bold)
        html += QStringLiteral("</b>");
    return html;
}

} // namespace sg::ui
