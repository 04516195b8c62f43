#undef QT_NO_KEYWORDS // Scintilla's headers need them
#include "ui/code/code_view.h"

#include "ui/code/code_lexer.h"
#include "ui/code/problem_row.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <Qsci/qscicommandset.h>
#include <Qsci/qscidocument.h>
#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <algorithm>
#include <utility>

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
constexpr int kMatch = 8; // indicators
constexpr int kPresentMatch = 9;
constexpr int kValueGap = 24; // between code and the value behind it

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
        , m_view(view)
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
        SendScintilla(SCI_SETMULTIPLESELECTION, 1UL);
        SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, 1UL);
        SendScintilla(SCI_SETMULTIPASTE, static_cast<unsigned long>(SC_MULTIPASTE_EACH));
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
    void setValues(const std::map<int, QString>& values)
    {
        if (values == m_values)
            return;
        m_values = values;
        viewport()->update();
    }

    void complete(bool asked)
    {
        int line = 0;
        int column = 0;
        getCursorPosition(&line, &column);
        const Completion found =
            completionAt(m_language, text(line).left(column), textAround(line), m_words, asked);
        offer(found.typed, found.words);
        const QString before = text(line).left(column);
        const bool isAttribute = before.contains(QLatin1Char('.')) && found.words.isEmpty();
        if (m_language == CodeLanguage::Python && !isReadOnly() && (asked || isAttribute))
            Q_EMIT m_view->namesWanted(before);
    }

    void offer(int typed, const QStringList& words)
    {
        if (words.isEmpty() || !isOnScreen(typed)) {
            cancelList();
            return;
        }
        const QByteArray list = words.join(QLatin1Char(' ')).toUtf8();
        SendScintilla(SCI_AUTOCSHOW, static_cast<unsigned long>(typed), list.constData());
    }

    [[nodiscard]] QString beforeCaret() const
    {
        int line = 0;
        int column = 0;
        getCursorPosition(&line, &column);
        return text(line).left(column);
    }

protected:
    bool event(QEvent* event) override
    {
        // The window keeps its shortcuts, except those that edit text.
        if (event->type() == QEvent::ShortcutOverride) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (key->matches(QKeySequence::Save) || key->key() == Qt::Key_F5
                || key->key() == Qt::Key_Backslash || key->key() == Qt::Key_F8) {
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
            if (SendScintilla(SCI_GETSELECTIONS) > 1)
                SendScintilla(SCI_SETEMPTYSELECTION,
                              static_cast<unsigned long>(SendScintilla(SCI_GETCURRENTPOS)));
            else
                focusNextChild();
            return;
        }
        if (event->key() == Qt::Key_J && event->modifiers() == Qt::AltModifier) {
            addNext();
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

    void paintEvent(QPaintEvent* event) override
    {
        QsciScintilla::paintEvent(event);
        if (!m_values.empty())
            paintValues(event->rect());
    }

private:
    // Another caret, at the next place of the selected words; the first time, the word at the caret is
    // selected.
    void addNext()
    {
        SendScintilla(SCI_SETSEARCHFLAGS, static_cast<unsigned long>(SCFIND_MATCHCASE | SCFIND_WHOLEWORD));
        SendScintilla(SCI_TARGETWHOLEDOCUMENT);
        SendScintilla(SCI_MULTIPLESELECTADDNEXT);
    }

    void paintValues(const QRect& rect)
    {
        QPainter painter(viewport());
        painter.setClipRect(rect);
        painter.setFont(monoFont(TextSize::Small));
        painter.setPen(sg::ui::color(&Tokens::muted));
        const int height = textHeight(0);
        const int first = firstVisibleLine();
        const int last = first + viewport()->height() / std::max(1, height) + 1;
        for (int shown = first; shown <= last; ++shown) {
            const auto line =
                static_cast<int>(SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(shown)));
            const auto value = m_values.find(line + 1);
            if (value == m_values.end() || line >= lines()
                || SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line)) != shown)
                continue; // a row below a line counts as a line
            const long end = SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
            const auto x = static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, end));
            const auto y = static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, end));
            painter.drawText(QRect(x + scaledLength(kValueGap), y, viewport()->width(), height),
                             Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, value->second);
        }
    }

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

    CodeView* const m_view;
    CodeLanguage m_language;
    CompletionWords m_words;
    std::map<int, QString> m_values; // by line
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
    wire();
}

void CodeView::wire()
{
    connect(m_editor, &QsciScintilla::textChanged, this, &CodeView::textChanged);
    connect(m_editor, &QsciScintilla::modificationChanged, this, &CodeView::modifiedChanged);
    connect(m_editor, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int) { placeRows(); });
    connect(m_editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int, int modification, const char*, int, int, int, int, int, int token, int) {
                takeUndo(modification, token);
            });
    connect(m_editor->verticalScrollBar(), &QScrollBar::valueChanged, this, &CodeView::placeRows);
}

void CodeView::shareText(CodeView& owner)
{
    m_owner = owner.m_owner ? owner.m_owner.data() : &owner;
    m_owner->m_beside.emplace_back(this);
    m_editor->setEolMode(m_owner->m_editor->eolMode()); // taking over the text would set its own
    m_editor->setDocument(m_owner->m_editor->document());
    dress();
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
    m_moves.clear();
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

qsizetype CodeView::characterAt(long position) const
{
    return QString::fromUtf8(text().toUtf8().left(position)).size();
}

void CodeView::showMatches(const std::vector<TextMatch>& matches, int present)
{
    using Base = QsciScintillaBase;
    const QString all = text();
    const long length = m_editor->length();
    for (const int indicator : { kMatch, kPresentMatch }) {
        m_editor->SendScintilla(Base::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
        m_editor->SendScintilla(Base::SCI_INDICATORCLEARRANGE, 0UL, length);
    }
    long position = 0; // of the character `at`
    qsizetype at = 0;
    const auto count = static_cast<int>(matches.size());
    for (int i = 0; i < count; ++i) {
        const TextMatch& match = matches[static_cast<std::size_t>(i)];
        position += static_cast<long>(QStringView(all).mid(at, match.start - at).toUtf8().size());
        at = match.start;
        const auto bytes = static_cast<long>(QStringView(all).mid(match.start, match.length).toUtf8().size());
        m_editor->SendScintilla(Base::SCI_SETINDICATORCURRENT,
                                static_cast<unsigned long>(i == present ? kPresentMatch : kMatch));
        m_editor->SendScintilla(Base::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(position), bytes);
        if (i == present) {
            m_editor->SendScintilla(Base::SCI_SETSEL, static_cast<unsigned long>(position), position + bytes);
            m_editor->SendScintilla(Base::SCI_SCROLLCARET);
        }
    }
}

TextMatch CodeView::selection() const
{
    using Base = QsciScintillaBase;
    const qsizetype start = characterAt(m_editor->SendScintilla(Base::SCI_GETSELECTIONSTART));
    return { start, characterAt(m_editor->SendScintilla(Base::SCI_GETSELECTIONEND)) - start };
}

std::vector<int> CodeView::linesOfMarks() const
{
    std::vector<int> lines;
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const int line = i < m_handles.size() ? m_editor->markerLine(m_handles[i]) : -1;
        lines.push_back(line < 0 ? m_marks[i].line - 1 : line);
    }
    return lines;
}

void CodeView::placeMarks(const std::vector<int>& lines)
{
    if (lines.size() != m_marks.size())
        return; // others have come since
    std::vector<CodeMark> marks = m_marks;
    for (std::size_t i = 0; i < marks.size(); ++i)
        marks[i].line = lines[i] + 1;
    std::swap(m_marks, marks);
    showMarks();
    std::swap(m_marks, marks); // as they were set
}

// An edit that is undone or done again takes the marks out of their lines as well: a step of the undo stack
// before it and one behind it put them back.
void CodeView::replaceRange(long start, long length, const QByteArray& with, MovedMarks moved)
{
    using Base = QsciScintillaBase;
    CodeView& owner = m_owner ? *m_owner : *this;
    const auto token = static_cast<unsigned long>(2 * owner.m_moves.size());
    owner.m_moves.push_back(std::move(moved));
    m_editor->beginUndoAction();
    m_editor->SendScintilla(Base::SCI_ADDUNDOACTION, token, 0L);
    m_editor->SendScintilla(Base::SCI_SETTARGETRANGE, static_cast<unsigned long>(start), start + length);
    m_editor->SendScintilla(Base::SCI_REPLACETARGET, static_cast<unsigned long>(with.size()),
                            with.constData());
    m_editor->SendScintilla(Base::SCI_ADDUNDOACTION, token + 1, 0L);
    m_editor->endUndoAction();
    owner.placeMarks(owner.m_moves.back().after);
}

void CodeView::takeUndo(int modification, int token)
{
    using Base = QsciScintillaBase;
    const auto move = static_cast<std::size_t>(token / 2);
    if (!(modification & Base::SC_MOD_CONTAINER) || move >= m_moves.size())
        return;
    if (token % 2 == 0 && (modification & Base::SC_PERFORMED_UNDO))
        placeMarks(m_moves[move].before);
    else if (token % 2 == 1 && (modification & Base::SC_PERFORMED_REDO))
        placeMarks(m_moves[move].after);
}

// Thousands of edits would each be told, laid out and undone by itself. One edit takes its lines with it, so
// the marks are put back into theirs.
void CodeView::replace(const std::vector<TextMatch>& places, const QStringList& with)
{
    if (m_editor->isReadOnly() || places.empty())
        return;
    CodeView& owner = m_owner ? *m_owner : *this;
    const QString all = text();
    const qsizetype first = places.front().start;
    const std::vector<int> before = owner.linesOfMarks();
    std::vector<int> after = before;
    auto line = static_cast<int>(QStringView(all).left(first).count(QLatin1Char('\n')));
    QString made;
    qsizetype at = first;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QString& words = with.at(static_cast<qsizetype>(i));
        const QStringView kept = QStringView(all).mid(at, places[i].start - at);
        const QStringView old = QStringView(all).mid(places[i].start, places[i].length);
        line += static_cast<int>(kept.count(QLatin1Char('\n')));
        const auto oldLines = static_cast<int>(old.count(QLatin1Char('\n')));
        if (const int more = static_cast<int>(words.count(QLatin1Char('\n'))) - oldLines; more != 0)
            for (std::size_t mark = 0; mark < after.size(); ++mark)
                after[mark] += before[mark] > line ? more : 0;
        line += oldLines;
        made += kept;
        made += words;
        at = places[i].start + places[i].length;
    }
    const auto start = static_cast<long>(QStringView(all).left(first).toUtf8().size());
    const auto length = static_cast<long>(QStringView(all).mid(first, at - first).toUtf8().size());
    int caretLine = 0;
    int caretColumn = 0;
    m_editor->getCursorPosition(&caretLine, &caretColumn);
    const int top = m_editor->firstVisibleLine();
    replaceRange(start, length, made.toUtf8(), { before, after });
    if (places.size() > 1)
        m_editor->setCursorPosition(caretLine, caretColumn);
    m_editor->setFirstVisibleLine(top);
}

void CodeView::setValues(const std::map<int, QString>& values)
{
    m_editor->setValues(values);
}

void CodeView::offerNames(const QString& code, int typed, const QStringList& names)
{
    if (code == m_editor->beforeCaret() && m_editor->hasFocus() && !names.isEmpty())
        m_editor->offer(typed, names);
}

void CodeView::showMarks()
{
    if (m_owner) // its marks stand in the text, which is the same
        return showRows();
    m_editor->clearAnnotations();
    for (const int marker : { kErrorSign, kErrorLine, kWarningSign, kWarningLine })
        m_editor->markerDeleteAll(marker);
    m_handles.clear();
    std::map<int, QString> notes; // joined notes of each line
    for (const CodeMark& mark : m_marks) {
        const int line = qBound(0, mark.line - 1, qMax(0, m_editor->lines() - 1));
        m_handles.push_back(m_editor->markerAdd(line, mark.isWarning ? kWarningSign : kErrorSign));
        m_editor->markerAdd(line, mark.isWarning ? kWarningLine : kErrorLine);
        QString note = mark.message.section(QLatin1Char('\n'), 0, 0);
        if (note.size() > kLongestNote)
            note = note.left(kLongestNote) + QStringLiteral("…");
        QString& all = notes[line];
        all += all.isEmpty() ? note : QLatin1Char('\n') + note;
        m_editor->annotate(line, all, mark.isWarning ? kWarningNote : kErrorNote);
    }
    showRows();
    for (const QPointer<CodeView>& view : m_beside)
        if (view)
            view->showRows();
    // The text may come after its marks. The last mark is the innermost frame.
    if (m_isMarkSought && m_marks.back().line <= m_editor->lines()) {
        m_isMarkSought = false;
        m_editor->setFirstVisibleLine(qMax(0, m_marks.back().line - kLinesAbove));
    }
}

// A row for each mark lies over the note that makes room for it below its line.
void CodeView::showRows()
{
    for (ProblemRow* row : m_rows)
        row->deleteLater(); // one of them may be what asked for this
    m_rows.clear();
    CodeView* owner = m_owner ? m_owner.data() : this;
    for (const CodeMark& mark : owner->m_marks) {
        auto* row = new ProblemRow(mark, m_editor->viewport());
        connect(row, &ProblemRow::verbChosen, owner,
                [owner, mark](int verb) { Q_EMIT owner->verbChosen(mark, verb); });
        m_rows.push_back(row);
    }
    m_editor->setMarginWidth(kSigns, m_rows.empty() ? scaledLength(6) : scaledLength(18));
    placeRows();
}

void CodeView::placeRows()
{
    using Base = QsciScintillaBase;
    const CodeView* owner = m_owner ? m_owner.data() : this;
    std::map<int, int> above; // rows of the same line
    for (std::size_t i = 0; i < m_rows.size() && i < owner->m_handles.size(); ++i) {
        const int line = m_editor->markerLine(owner->m_handles[i]);
        m_rows[i]->setVisible(line >= 0);
        if (line < 0)
            continue;
        const long start =
            m_editor->SendScintilla(Base::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        const auto top = static_cast<int>(m_editor->SendScintilla(Base::SCI_POINTYFROMPOSITION, 0UL, start));
        const int height = m_editor->textHeight(line);
        const int left = m_editor->marginWidth(kNumbers) + m_editor->marginWidth(kSigns);
        m_rows[i]->setGeometry(left, top + height * ++above[line],
                               std::max(0, m_editor->viewport()->width() - left), height);
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
    dressSigns();
    showMarks();
}

void CodeView::dressSigns()
{
    using Base = QsciScintillaBase;
    for (const int indicator : { kMatch, kPresentMatch }) {
        const auto number = static_cast<unsigned long>(indicator);
        const bool isPresent = indicator == kPresentMatch;
        m_editor->SendScintilla(Base::SCI_INDICSETSTYLE, number,
                                static_cast<long>(isPresent ? Base::INDIC_FULLBOX : Base::INDIC_STRAIGHTBOX));
        m_editor->SendScintilla(Base::SCI_INDICSETFORE, number,
                                rgbOf(isPresent ? &Tokens::accent : &Tokens::muted));
        m_editor->SendScintilla(Base::SCI_INDICSETALPHA, number, 60L);
        m_editor->SendScintilla(Base::SCI_INDICSETOUTLINEALPHA, number, isPresent ? 255L : 0L);
        m_editor->SendScintilla(Base::SCI_INDICSETUNDER, number, 1L);
    }
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
}

void CodeView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeRows();
}

void CodeView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::ApplicationFontChange)
        dress();
}

} // namespace sg::ui
