#include "ui/chat/message_text.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/quick_markdown.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextOption>

namespace sg::ui {
namespace {

constexpr int kMostBlocks = 2000; // of one message; the rest is one block

bool isFence(QStringView line)
{
    const QStringView bare = line.trimmed();
    return bare.startsWith(QLatin1String("```")) || bare.startsWith(QLatin1String("~~~"));
}

// A line that goes on with the list or quotation before it, although an empty line is between them.
bool continues(QStringView line)
{
    return line.startsWith(QLatin1Char(' ')) || line.startsWith(QLatin1Char('\t'));
}

QTextCharFormat inked(Token ink)
{
    QTextCharFormat format;
    format.setForeground(color(ink));
    return format;
}

} // namespace

InertDocument::InertDocument(Form form, const QString& text, double width)
    : m_form(form)
    , m_source(text)
{
    setUndoRedoEnabled(false);
    setDocumentMargin(0);
    setDefaultFont(form == Form::Markdown || form == Form::Plain ? uiFont(TextSize::Normal) : monoFont());
    QTextOption option = defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setDefaultTextOption(option);
    if (form == Form::Markdown && isQuicklyReadMarkdown(text)) {
        QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
        features |= QTextDocument::MarkdownNoHTML;
        setMarkdown(text, features);
        setDefaultFont(uiFont(TextSize::Normal));
    } else {
        setPlainText(text);
    }
    if (form == Form::Code)
        colourCode();
    setTextWidth(width);
}

QVariant InertDocument::loadResource(int, const QUrl&)
{
    return {};
}

void InertDocument::colourCode()
{
    static const QRegularExpression words(QStringLiteral(
        R"((?<comment>#[^\n]*)|(?<string>[rbfuRBFU]{0,2}("""[\s\S]*?("""|$)|'''[\s\S]*?('''|$)|"(\\.|[^"\\\n])*"?|'(\\.|[^'\\\n])*'?))|(?<number>\b\d[\d_.]*([eE][+-]?\d+)?\b)|(?<keyword>\b(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|print)\b))"));
    const QString text = toPlainText();
    auto found = words.globalMatch(text);
    QTextCursor cursor(this);
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        const Token ink = match.hasCaptured(QStringLiteral("comment")) ? &Tokens::codeComment
            : match.hasCaptured(QStringLiteral("string"))              ? &Tokens::codeString
            : match.hasCaptured(QStringLiteral("number"))              ? &Tokens::codeNumber
                                                                       : &Tokens::codeKeyword;
        cursor.setPosition(static_cast<int>(match.capturedStart()));
        cursor.setPosition(static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(inked(ink));
    }
}

QStringList markdownBlocks(const QString& text)
{
    QStringList blocks;
    QString block;
    bool isInFence = false;
    qsizetype empty = 0; // lines since the last one with words
    for (const QStringView line : QStringView(text).split(QLatin1Char('\n'))) {
        const bool isEmpty = line.trimmed().isEmpty();
        if (!isInFence && isEmpty) {
            ++empty;
            continue;
        }
        if (empty > 0 && !block.isEmpty() && !continues(line) && blocks.size() < kMostBlocks) {
            blocks << block;
            block.clear();
        } else if (!block.isEmpty()) {
            block += QString(empty + 1, QLatin1Char('\n'));
        }
        empty = 0;
        block += line;
        if (isFence(line))
            isInFence = !isInFence;
    }
    if (!block.isEmpty())
        blocks << block;
    return blocks;
}

} // namespace sg::ui
