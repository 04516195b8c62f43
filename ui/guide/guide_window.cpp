#include "ui/guide/guide_window.h"

#include "ui/guide/guide_chapters.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QDesktopServices>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kName = Qt::UserRole; // role with an item's chapter

// Qt draws Markdown tables with double lines, and code like any other text.
void polish(QTextDocument& document)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(color(&Tokens::border));
            format.setCellPadding(scaledLength(4));
            format.setTopMargin(scaledLength(6));
            format.setBottomMargin(scaledLength(10));
            table->setFormat(format);
        }
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.hasProperty(QTextFormat::BlockCodeFence))
            format.setBackground(color(&Tokens::alt));
        else if (format.headingLevel() > 1)
            format.setTopMargin(scaledLength(14));
        else
            continue;
        QTextCursor(block).setBlockFormat(format);
    }
}

} // namespace

GuideWindow::GuideWindow(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_search(new FilterEdit(tr("Search the guide"), FilterEdit::Sign::Search, this))
    , m_list(new QListWidget(this))
    , m_text(new QTextBrowser(this))
    , m_none(new QLabel(tr("No chapter has all of these words."), this))
{
    setObjectName(QStringLiteral("guide"));
    setWindowTitle(tr("Sandglass guide"));
    resize(scaledLength(920), scaledLength(680));
    m_search->setAccessibleName(tr("Search the guide"));
    m_list->setAccessibleName(tr("Chapters"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(tr("Chapter"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(scaledLength(20));
    m_none->setWordWrap(true);
    m_none->setMargin(scaledLength(8));
    m_none->hide();

    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(8, 8, 0, 8);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    column->addWidget(m_none);
    auto* parts = new QSplitter(this);
    parts->addWidget(side);
    parts->addWidget(m_text);
    parts->setStretchFactor(1, 1);
    parts->setSizes({ scaledLength(240), scaledLength(680) });
    parts->setChildrenCollapsible(false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(parts);

    connect(m_search, &FilterEdit::filterChanged, this, &GuideWindow::search);
    connect(m_search, &QLineEdit::returnPressed, this, &GuideWindow::findNext);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr)
            showChapter(item->data(kName).toString());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QString name = link.fileName().section(QLatin1Char('.'), 0, 0);
        const auto& chapters = guideChapters();
        if (link.scheme().isEmpty() && std::any_of(chapters.begin(), chapters.end(), [&](const auto& each) {
                return each.name == name;
            }))
            open(name);
        else if (link.scheme() == QLatin1String("https"))
            QDesktopServices::openUrl(link); // in the user's browser, only after a click
    });
    search({});
}

void GuideWindow::open(const QString& chapter)
{
    m_search->setFilter({});
    search({});
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->data(kName).toString() == chapter)
            m_list->setCurrentRow(i);
}

void GuideWindow::search(const QString& words)
{
    const QString before = m_shown;
    m_list->clear();
    for (const GuideChapter& chapter : guideChapters()) {
        const int hits = words.isEmpty() ? 1 : guideHits(chapter, words);
        if (hits == 0)
            continue;
        auto* item = new QListWidgetItem(
            words.isEmpty() ? chapter.title : tr("%1 (%2)", "chapter, hits").arg(chapter.title).arg(hits),
            m_list);
        item->setData(kName, chapter.name);
        if (chapter.name == before)
            m_list->setCurrentItem(item);
    }
    m_none->setVisible(m_list->count() == 0);
    if (m_list->currentItem() == nullptr && m_list->count() > 0)
        m_list->setCurrentRow(0);
    markWords();
    if (!words.isEmpty()) {
        m_text->moveCursor(QTextCursor::Start);
        findNext();
    }
}

void GuideWindow::showChapter(const QString& name)
{
    if (name == m_shown)
        return;
    const auto& chapters = guideChapters();
    const auto found =
        std::find_if(chapters.begin(), chapters.end(), [&](const auto& each) { return each.name == name; });
    if (found == chapters.end())
        return;
    m_shown = name;
    m_text->setMarkdown(found->text);
    polish(*m_text->document());
    m_text->verticalScrollBar()->setValue(0);
    markWords();
}

// Marks all occurrences of the words.
void GuideWindow::markWords()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        QTextCursor at(m_text->document());
        while (!(at = m_text->document()->find(word, at)).isNull()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(color(&Tokens::waitingTint));
            marks.push_back(mark);
        }
    }
    m_text->setExtraSelections(marks);
}

// Finds the next occurrence of the first word, starting again at the end.
void GuideWindow::findNext()
{
    const QString word = m_search->text().section(QLatin1Char(' '), 0, 0, QString::SectionSkipEmpty);
    if (word.isEmpty() || m_text->find(word))
        return;
    m_text->moveCursor(QTextCursor::Start);
    m_text->find(word);
}

void GuideWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace sg::ui
