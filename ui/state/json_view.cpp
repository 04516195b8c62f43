#include "ui/state/json_view.h"

#include "ui/state/value_text.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextDocument>

namespace sg::ui {

namespace {

constexpr qsizetype kMostText = 2 << 20;
constexpr qsizetype kMostColoured = 4096; // of each line

} // namespace

class JsonView::Highlighter final : public QSyntaxHighlighter {
public:
    explicit Highlighter(QTextDocument* document)
        : QSyntaxHighlighter(document)
        , m_string(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\"(\\s*:)?"))
        , m_word(QStringLiteral("-?\\b\\d[\\d.eE+-]*|\\b(?:true|false|null)\\b"))
    {
    }

protected:
    void highlightBlock(const QString& line) override
    {
        if (line.size() > kMostColoured)
            return;
        for (auto found = m_word.globalMatch(line); found.hasNext();) {
            const auto match = found.next();
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                      color(&Tokens::codeNumber));
        }
        for (auto found = m_string.globalMatch(line); found.hasNext();) {
            const auto match = found.next();
            const bool isKey = match.capturedLength(1) > 0;
            setFormat(static_cast<int>(match.capturedStart()),
                      static_cast<int>(match.capturedLength() - match.capturedLength(1)),
                      color(isKey ? &Tokens::codeKeyword : &Tokens::codeString));
        }
    }

private:
    QRegularExpression m_string;
    QRegularExpression m_word;
};

JsonView::JsonView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_highlighter(new Highlighter(document()))
{
    setObjectName(QStringLiteral("stateJson"));
    setAccessibleName(tr("State as JSON"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setFont(monoFont());
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
}

void JsonView::setValue(const Value& value)
{
    setPlainText(valueJson(value, kMostText));
}

void JsonView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_highlighter)
        m_highlighter->rehighlight();
}

} // namespace sg::ui
