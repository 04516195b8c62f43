#include "ui/state/message_view.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QScrollBar>

namespace sg::ui {

namespace {

constexpr std::size_t kMostMessages = 400;

QString roleWord(const MessageRow& row)
{
    const QString& role = row.role;
    const QString word = role == QLatin1String("human") || role == QLatin1String("user")
        ? MessageView::tr("You")
        : role == QLatin1String("ai") || role == QLatin1String("assistant") ? MessageView::tr("Model")
        : role == QLatin1String("tool")                                     ? MessageView::tr("Tool")
        : role == QLatin1String("system")                                   ? MessageView::tr("System")
                                                                            : role;
    return row.name.isEmpty() ? word : QStringLiteral("%1 (%2)").arg(row.name, word.toLower());
}

QString html(const QString& text)
{
    return text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

QString code(const QString& text)
{
    return QStringLiteral("<table width='100%' cellpadding='6' bgcolor='%1'><tr><td><pre style='white-space: "
                          "pre-wrap; font-family: \"%2\"; margin: 0'>%3</pre></td></tr></table>")
        .arg(color(&Tokens::neutralTint).name(), monoFont().family(), text.toHtmlEscaped());
}

QString callHtml(const ToolCall& call)
{
    return QStringLiteral("<p style='margin: 4px 0 2px 0'><b>%1</b> <span style='color: %2'>%3</span></p>")
               .arg(html(call.name), color(&Tokens::muted).name(), html(call.id))
        + code(call.arguments);
}

QString rowHtml(const MessageRow& row)
{
    const QString ink = color(row.hasFailed ? &Tokens::failed : &Tokens::text).name();
    QString made =
        QStringLiteral("<p style='margin: 10px 0 2px 0; color: %1'><b>%2</b> <span style='color: "
                       "%3'>%4</span></p>")
            .arg(ink, html(roleWord(row)), color(&Tokens::muted).name(),
                 row.hasFailed ? MessageView::tr("failed, %1").arg(html(row.answers)) : html(row.answers));
    if (!row.text.isEmpty())
        made += row.role == QLatin1String("tool")
            ? code(row.text)
            : QStringLiteral("<p style='margin: 0 0 4px 0'>%1</p>").arg(html(row.text));
    for (const ToolCall& call : row.calls)
        made += callHtml(call);
    return made;
}

} // namespace

MessageView::MessageView(QWidget* parent)
    : QTextBrowser(parent)
{
    setAccessibleName(tr("Messages"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setFont(uiFont(TextSize::Dense));
    document()->setDocumentMargin(12);
}

void MessageView::setState(const Value& state)
{
    m_messages = messagesOf(state, kMostMessages);
    fill();
}

void MessageView::fill()
{
    if (m_messages.channel.isEmpty()) {
        setHtml(QStringLiteral("<p style='color: %1'>%2</p>")
                    .arg(color(&Tokens::muted).name(),
                         tr("No channel of this state holds messages.").toHtmlEscaped()));
        return;
    }
    QString page;
    if (m_messages.left > 0)
        page += QStringLiteral("<p style='color: %1'>%2</p>")
                    .arg(color(&Tokens::muted).name(),
                         tr("%1 older messages: see JSON").arg(formatCount(qint64(m_messages.left))));
    for (const MessageRow& row : m_messages.rows)
        page += rowHtml(row);
    setHtml(page);
    verticalScrollBar()->setValue(verticalScrollBar()->maximum()); // shows the newest
}

QVariant MessageView::loadResource(int, const QUrl&)
{
    return {};
}

void MessageView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && document() != nullptr)
        fill();
}

} // namespace sg::ui
