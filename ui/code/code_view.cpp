#undef QT_NO_KEYWORDS // Scintilla's headers need them
#include "ui/code/code_view.h"

#include "ui/code/code_lexer.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <map>

namespace sg::ui {
namespace {

constexpr int kLinesAbove = 4; // shown above a line that is scrolled to
constexpr int kNumbers = 0; // margins
constexpr int kSigns = 1;
constexpr int kErrorSign = 1; // markers
constexpr int kErrorLine = 2;
constexpr int kWarningSign = 3;
constexpr int kWarningLine = 4;
constexpr int kErrorNote = 60; // styles, above those of the lexers
constexpr int kWarningNote = 61;
constexpr int kIndent = 4;
constexpr int kLongestNote = 120;
constexpr int kLinesAround = 250;

long rgbOf(Token token) // Scintilla's format for colours
{
    const QColor c = color(token);
    return c.red() | (c.green() << 8) | (c.blue() << 16);
}

} // namespace

class CodeView::Scintilla final : public QsciScintilla {
public:
    Scintilla(CodeView* view, QsciLexer* lexer)
        : QsciScintilla(view)
        , m_language(view->language())
    {
        if (lexer)
            setLexer(lexer);
        setUtf8(true);
        setEolMode(EolUnix);
        setFrameShape(QFrame::NoFrame);
        setIndentationsUseTabs(false);
        setIndentationWidth(m_language == CodeLanguage::Python ? kIndent : 2);
        setTabWidth(kIndent);
        setAutoIndent(true);
        setBackspaceUnindents(true);
        setBraceMatching(SloppyBraceMatch);
        setCaretLineVisible(true);
        setScrollWidth(1);
        setScrollWidthTracking(true);
        setMarginType(kNumbers, NumberMargin);
        setMarginType(kSigns, SymbolMargin);
        setMarginWidth(2, 0);
        SendScintilla(SCI_SETMARGINLEFT, 0UL, static_cast<long>(scaledLength(4)));
        setMarginSensitivity(kSigns, false);
        setMarginMarkerMask(kSigns, (1 << kErrorSign) | (1 << kWarningSign));
        setAnnotationDisplay(AnnotationIndented);
        SendScintilla(SCI_AUTOCSETIGNORECASE, 0UL);
        SendScintilla(SCI_AUTOCSETMAXHEIGHT, 8UL);
        SendScintilla(SCI_AUTOCSETORDER, static_cast<unsigned long>(SC_ORDER_PERFORMSORT));
        SendScintilla(SCI_AUTOCSETCHOOSESINGLE, 0UL);
        releaseKeys();
        connect(this, &QsciScintillaBase::SCN_CHARADDED, this, [this](int) { complete(false); });
    }
    void setWords(const CompletionWords& words) { m_words = words; }

    void complete(bool asked)
    {
        int line = 0;
        int column = 0;
        getCursorPosition(&line, &column);
        const Completion found =
            completionAt(m_language, text(line).left(column), textAround(line), m_words, asked);
        if (found.words.isEmpty() || !isOnScreen(found.typed)) {
            cancelList();
            return;
        }
        const QByteArray list = found.words.join(QLatin1Char(' ')).toUtf8();
        SendScintilla(SCI_AUTOCSHOW, static_cast<unsigned long>(found.typed), list.constData());
    }

protected:
    bool event(QEvent* event) override
    {
        // The window keeps its shortcuts, except those that edit text.
        if (event->type() == QEvent::ShortcutOverride) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (key->matches(QKeySequence::Save) || key->key() == Qt::Key_F5 || key->key() == Qt::Key_F8) {
                event->ignore();
                return false;
            }
        }
        return QsciScintilla::event(event);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
            return complete(true);
        if (event->key() == Qt::Key_Escape && !isListActive()) {
            focusNextChild();
            return;
        }
        if (event->matches(QKeySequence::Redo)) {
            redo();
            return;
        }
        const auto pressed = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
        if (pressed == Qt::ControlModifier && isReleased(event->key())) {
            event->ignore(); // the shortcut of a disabled command must not insert text
            return;
        }
        QsciScintilla::keyPressEvent(event);
    }

private:
    // QScintilla places the completion list on the screen that holds the word's begin, and crashes if there
    // is none, as for a window partly outside of all screens.
    [[nodiscard]] bool isOnScreen(int typed) const
    {
        const long caret = SendScintilla(SCI_GETCURRENTPOS);
        for (const long at : { caret, caret - typed }) {
            const QPoint place(static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, at)),
                               static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, at)));
            for (const QWidget* of :
                 { static_cast<const QWidget*>(this), static_cast<const QWidget*>(viewport()) })
                if (QGuiApplication::screenAt(of->mapToGlobal(place)) == nullptr)
                    return false;
        }
        return true;
    }

    // Only nearby text is searched for names, because searching a long file at each key takes too long.
    [[nodiscard]] QString textAround(int line) const
    {
        QString all;
        for (int i = qMax(0, line - kLinesAround); i < qMin(lines(), line + kLinesAround); ++i)
            all += text(i);
        return all;
    }

    // Letters that are shortcuts of the window with Ctrl.
    static bool isReleased(int key)
    {
        const bool isEditing = key == Qt::Key_A || key == Qt::Key_C || key == Qt::Key_V || key == Qt::Key_X
            || key == Qt::Key_Y || key == Qt::Key_Z;
        return key >= Qt::Key_A && key <= Qt::Key_Z && !isEditing;
    }
    void releaseKeys()
    {
        for (QsciCommand* command : standardCommands()->commands())
            for (const int key : { command->key(), command->alternateKey() }) {
                if (!isReleased(key & ~static_cast<int>(Qt::KeyboardModifierMask)))
                    continue;
                if (command->key() == key)
                    command->setKey(0);
                else
                    command->setAlternateKey(0);
            }
    }

    CodeLanguage m_language;
    CompletionWords m_words;
};

CodeView::CodeView(CodeLanguage language, QWidget* parent)
    : QWidget(parent)
    , m_language(language)
    , m_editor(new Scintilla(this, makeLexer(language, this)))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_editor);
    setFocusProxy(m_editor);
    m_editor->setObjectName(QStringLiteral("codeText"));
    m_editor->setAccessibleName(tr("Code, %1").arg(languageTitle(language)));
    m_editor->setAccessibleDescription(
        tr("Tab indents, Ctrl+Space completes, Escape goes on to the next field"));
    dress();
    connect(m_editor, &QsciScintilla::textChanged, this, &CodeView::textChanged);
    connect(m_editor, &QsciScintilla::modificationChanged, this, &CodeView::modifiedChanged);
}

void CodeView::setText(const QString& text)
{
    const QSignalBlocker quiet(this);
    m_editor->setText(text);
    m_editor->convertEols(text.contains(QLatin1String("\r\n")) ? QsciScintilla::EolWindows
                                                               : QsciScintilla::EolUnix);
    m_editor->setEolMode(text.contains(QLatin1String("\r\n")) ? QsciScintilla::EolWindows
                                                              : QsciScintilla::EolUnix);
    m_editor->SendScintilla(QsciScintilla::SCI_EMPTYUNDOBUFFER);
    m_editor->setModified(false);
    showMarks();
}

void CodeView::replaceText(const QString& text)
{
    if (text == this->text())
        return;
    if (m_editor->isReadOnly()) // nobody can have typed in it
        return setText(text);
    const QSignalBlocker quiet(this);
    int line = 0;
    int column = 0;
    m_editor->getCursorPosition(&line, &column);
    const int top = m_editor->firstVisibleLine();
    m_editor->beginUndoAction();
    m_editor->selectAll();
    m_editor->replaceSelectedText(text);
    m_editor->endUndoAction();
    m_editor->setCursorPosition(line, column);
    m_editor->setFirstVisibleLine(top);
    showMarks();
}

QString CodeView::text() const
{
    return m_editor->text();
}

bool CodeView::isModified() const
{
    return m_editor->isModified();
}

void CodeView::setSaved()
{
    m_editor->setModified(false);
}

void CodeView::setReadOnly(bool readOnly)
{
    m_editor->setReadOnly(readOnly);
}

void CodeView::setWords(const CompletionWords& words)
{
    m_editor->setWords(words);
}

void CodeView::setMarks(const std::vector<CodeMark>& marks)
{
    if (marks == m_marks)
        return; // the present marks have moved with their lines
    m_marks = marks;
    m_isMarkSought = !m_marks.empty() && !m_editor->hasFocus(); // must not move the view while the user types
    showMarks();
}

void CodeView::goTo(int line)
{
    m_editor->setCursorPosition(line - 1, 0);
    m_editor->ensureLineVisible(line - 1);
}

bool CodeView::find(const QString& words, bool forward)
{
    if (words.isEmpty())
        return false;
    int line = 0;
    int column = 0;
    int endLine = 0;
    int endColumn = 0;
    m_editor->getSelection(&line, &column, &endLine, &endColumn);
    if (line < 0)
        return m_editor->findFirst(words, false, false, false, true, forward);
    return m_editor->findFirst(words, false, false, false, true, forward, forward ? endLine : line,
                               forward ? endColumn : column);
}

void CodeView::showMarks()
{
    m_editor->clearAnnotations();
    for (const int marker : { kErrorSign, kErrorLine, kWarningSign, kWarningLine })
        m_editor->markerDeleteAll(marker);
    std::map<int, QString> notes; // joined notes of each line
    for (const CodeMark& mark : m_marks) {
        const int line = qBound(0, mark.line - 1, qMax(0, m_editor->lines() - 1));
        m_editor->markerAdd(line, mark.isWarning ? kWarningSign : kErrorSign);
        m_editor->markerAdd(line, mark.isWarning ? kWarningLine : kErrorLine);
        QString note = mark.message.section(QLatin1Char('\n'), 0, 0);
        if (note.size() > kLongestNote)
            note = note.left(kLongestNote) + QStringLiteral("…");
        QString& all = notes[line];
        all += all.isEmpty() ? note : QLatin1Char('\n') + note;
        m_editor->annotate(line, all, mark.isWarning ? kWarningNote : kErrorNote);
    }
    m_editor->setMarginWidth(kSigns, m_marks.empty() ? scaledLength(6) : scaledLength(18));
    // The text may come after its marks. The last mark is the innermost frame.
    if (m_isMarkSought && m_marks.back().line <= m_editor->lines()) {
        m_isMarkSought = false;
        m_editor->setFirstVisibleLine(qMax(0, m_marks.back().line - kLinesAbove));
    }
}

// Applies the theme and the font.
void CodeView::dress()
{
    if (QsciLexer* lexer = m_editor->lexer())
        dyeLexer(*lexer, m_language);
    m_editor->setFont(codeFont(monoFont()));
    m_editor->setColor(color(&Tokens::text));
    m_editor->setPaper(color(&Tokens::base));
    m_editor->setCaretForegroundColor(color(&Tokens::text));
    m_editor->setCaretLineBackgroundColor(color(&Tokens::accentTint));
    m_editor->setSelectionBackgroundColor(color(&Tokens::selection));
    m_editor->resetSelectionForegroundColor();
    m_editor->setMarginsFont(codeFont(monoFont(TextSize::Small)));
    m_editor->setMarginsForegroundColor(color(&Tokens::muted));
    m_editor->setMarginsBackgroundColor(color(&Tokens::alt));
    m_editor->setMarginWidth(kNumbers, QStringLiteral("00000"));
    m_editor->setMatchedBraceBackgroundColor(color(&Tokens::selection));
    m_editor->setMatchedBraceForegroundColor(color(&Tokens::text));
    m_editor->setUnmatchedBraceBackgroundColor(color(&Tokens::failedTint));
    m_editor->setUnmatchedBraceForegroundColor(color(&Tokens::failed));
    m_editor->setExtraAscent(scaledLength(2));
    m_editor->setExtraDescent(scaledLength(2));
    const int sign = scaledLength(14);
    const qreal scale = devicePixelRatioF();
    m_editor->markerDefine(icon(QLatin1String("error"), &Tokens::failed).pixmap(QSize(sign, sign), scale),
                           kErrorSign);
    m_editor->markerDefine(icon(QLatin1String("warn"), &Tokens::warn).pixmap(QSize(sign, sign), scale),
                           kWarningSign);
    m_editor->markerDefine(QsciScintilla::Background, kErrorLine);
    m_editor->markerDefine(QsciScintilla::Background, kWarningLine);
    m_editor->setMarkerBackgroundColor(color(&Tokens::failedTint), kErrorLine);
    m_editor->setMarkerBackgroundColor(color(&Tokens::warnTint), kWarningLine);
    const auto setNote = [this](int style, Token ink, Token paper) {
        using Base = QsciScintillaBase;
        const QFont font = uiFont(TextSize::Small);
        const auto number = static_cast<unsigned long>(style);
        m_editor->SendScintilla(Base::SCI_STYLESETFONT, number, font.family().toUtf8().constData());
        m_editor->SendScintilla(Base::SCI_STYLESETSIZEFRACTIONAL, number,
                                static_cast<long>(QFontInfo(font).pointSizeF()
                                                  * static_cast<int>(Base::SC_FONT_SIZE_MULTIPLIER)));
        m_editor->SendScintilla(Base::SCI_STYLESETFORE, number, rgbOf(ink));
        m_editor->SendScintilla(Base::SCI_STYLESETBACK, number, rgbOf(paper));
    };
    setNote(kErrorNote, &Tokens::failed, &Tokens::failedTint);
    setNote(kWarningNote, &Tokens::warn, &Tokens::warnTint);
    showMarks();
}

void CodeView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::ApplicationFontChange)
        dress();
}

} // namespace sg::ui
