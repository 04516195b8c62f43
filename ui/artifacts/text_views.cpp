#include "ui/artifacts/text_views.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QTextBlock>

namespace sg::ui {

MarkdownView::MarkdownView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("artifactMarkdown"));
    setAccessibleName(tr("Preview of the text"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setFont(uiFont(TextSize::Normal));
    document()->setDocumentMargin(16);
}

void MarkdownView::showMarkdown(const QString& text)
{
    m_text = text;
    QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
    features |= QTextDocument::MarkdownNoHTML;
    document()->setMarkdown(text, features);
    document()->setDefaultFont(uiFont(TextSize::Normal));
    moveCursor(QTextCursor::Start);
}

QVariant MarkdownView::loadResource(int, const QUrl&)
{
    return {};
}

void MarkdownView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_text.isEmpty())
        showMarkdown(m_text);
}

ChangesView::ChangesView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setObjectName(QStringLiteral("artifactChanges"));
    setAccessibleName(tr("Differences of two versions"));
    setReadOnly(true);
    setFont(monoFont());
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
}

void ChangesView::showChanges(const QString& text)
{
    setPlainText(text);
    tint();
}

void ChangesView::tint()
{
    QList<QTextEdit::ExtraSelection> tints;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const QString line = block.text();
        const QChar sign = line.isEmpty() ? QChar() : line.front();
        const Token fill = sign == QLatin1Char('+') ? &Tokens::doneTint
            : sign == QLatin1Char('-')              ? &Tokens::failedTint
            : sign == QLatin1Char('@')              ? &Tokens::window
                                                    : nullptr;
        if (fill == nullptr)
            continue;
        QTextEdit::ExtraSelection row;
        row.cursor = QTextCursor(block);
        row.format.setBackground(color(fill));
        row.format.setProperty(QTextFormat::FullWidthSelection, true);
        tints << row;
        if (sign != QLatin1Char('@')) { // only the sign is coloured, the text keeps its colour
            QTextEdit::ExtraSelection mark;
            mark.cursor = QTextCursor(block);
            mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
            mark.format.setForeground(color(sign == QLatin1Char('+') ? &Tokens::done : &Tokens::failed));
            mark.format.setFontWeight(QFont::Bold);
            tints << mark;
        }
    }
    setExtraSelections(tints);
}

void ChangesView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tint();
}

} // namespace sg::ui
