#include "ui/start/start_page.h"

#include "ui/start/card_grid.h"
#include "ui/start/recent_list.h"
#include "ui/start/runtime_row.h"
#include "ui/start/start_tile.h"
#include "ui/start/template_card.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kPageColumn = 624;
constexpr int kBetween = 48;
constexpr int kNarrow = 1100; // below that the columns stand beneath one another
constexpr int kExamplePicture = 112;
constexpr int kExampleWidth = 270;
constexpr int kExampleGap = 16;
constexpr std::size_t kShown = 4; // examples

InkLabel* heading(const QString& text, QWidget* parent)
{
    auto* made = new InkLabel(&Tokens::text, TextSize::Normal, QFont::DemiBold, parent);
    made->setText(text);
    return made;
}

InkLabel* note(const QString& text, QWidget* parent)
{
    auto* made = new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, parent);
    made->setText(text);
    return made;
}

QHBoxLayout* headRow(QWidget* left, QWidget* right)
{
    auto* row = new QHBoxLayout;
    row->addWidget(left, 1);
    if (right != nullptr)
        row->addWidget(right);
    return row;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("startPage"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_page = new QWidget;
    m_page->setBackgroundRole(QPalette::Base);
    auto* title = new InkLabel(&Tokens::text, TextSize::Title, QFont::DemiBold, m_page);
    title->setText(tr("What will run today?"));
    auto* what = new InkLabel(&Tokens::text2, TextSize::Normal, QFont::Normal, m_page);
    what->setText(tr("Build a workflow, run it in a sandbox, and go back to any step."));
    auto* inner = new QWidget(m_page);
    inner->setMaximumWidth(scaledLength(2 * kPageColumn + kBetween));
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(title);
    column->addWidget(what);
    column->addSpacing(20);
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
    m_columns->setSpacing(scaledLength(kBetween));
    m_columns->addWidget(makeLeft(), 1, Qt::AlignTop);
    m_columns->addWidget(makeRight(), 1, Qt::AlignTop);
    column->addLayout(m_columns);

    auto* middle = new QGridLayout(m_page);
    middle->setContentsMargins(24, 24, 24, 24);
    middle->setColumnStretch(0, 1);
    middle->setColumnStretch(1, 1000);
    middle->setColumnStretch(2, 1);
    middle->setRowStretch(0, 1);
    middle->setRowStretch(2, 3);
    middle->addWidget(inner, 1, 1);
    auto* scroll = new QScrollArea(this); // a small window has no room for all of it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    scroll->setWidget(m_page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

QWidget* StartPage::makeLeft()
{
    auto* left = new QWidget(m_page);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* fresh =
        new StartTile(QLatin1String("plus"), tr("New project…"),
                      tr("Empty, from a template or from an example, in a folder of its own"), left);
    fresh->setKey(QStringLiteral("Ctrl+N"));
    fresh->setIsDefault(true);
    connect(fresh, &QAbstractButton::clicked, this, &StartPage::newRequested);
    auto* open =
        new StartTile(QLatin1String("folder"), tr("Project…"), tr("A folder, or a .graph.json file"), left);
    open->setKey(QStringLiteral("Ctrl+O"));
    connect(open, &QAbstractButton::clicked, this, &StartPage::openRequested);
    auto* folder =
        new StartTile(QLatin1String("graph"), tr("LangGraph folder…"), tr("With its langgraph.json"), left);
    connect(folder, &QAbstractButton::clicked, this, &StartPage::folderRequested);
    auto* database = new StartTile(QLatin1String("dataset"), tr("Database…"),
                                   tr("A file of SQLite checkpoints, to look at"), left);
    connect(database, &QAbstractButton::clicked, this, &StartPage::databaseRequested);
    auto* server = new StartTile(QLatin1String("dataset"), tr("Server…"),
                                 tr("A PostgreSQL database of checkpoints"), left);
    connect(server, &QAbstractButton::clicked, this, &StartPage::serverRequested);
    auto* grid = new QGridLayout;
    grid->setSpacing(8);
    grid->addWidget(open, 0, 0);
    grid->addWidget(folder, 0, 1);
    grid->addWidget(database, 1, 0);
    grid->addWidget(server, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    auto* find = new FilterEdit(tr("Find"), FilterEdit::Sign::Search, left);
    find->setAccessibleName(tr("Find what was open"));
    find->setFixedWidth(scaledLength(184));
    m_recent = new RecentList(left);
    connect(find, &FilterEdit::filterChanged, m_recent, &RecentList::filter);
    connect(m_recent, &RecentList::openRequested, this, &StartPage::recentRequested);
    connect(m_recent, &RecentList::removeRequested, this, &StartPage::recentRemoved);
    column->addWidget(heading(tr("Begin"), left));
    column->addWidget(fresh);
    column->addSpacing(16);
    column->addWidget(heading(tr("Open"), left));
    column->addLayout(grid);
    column->addSpacing(12);
    column->addLayout(headRow(heading(tr("Recent"), left), find));
    column->addWidget(m_recent);
    return left;
}

QWidget* StartPage::makeRight()
{
    auto* right = new QWidget(m_page);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_examples = new CardGrid(kExampleWidth, kExampleGap, right);
    m_runtime = new RuntimeStatus(right);
    connect(m_runtime, &RuntimeStatus::prepareRequested, this, &StartPage::prepareRequested);
    column->addLayout(
        headRow(heading(tr("Examples"), right), note(tr("each opens in a copy of its own"), right)));
    column->addWidget(m_examples);
    column->addSpacing(16);
    column->addWidget(heading(tr("Sandbox"), right));
    column->addWidget(m_runtime);
    return right;
}

void StartPage::setRecent(const QList<RecentRow>& rows)
{
    m_recent->setRows(rows);
}

void StartPage::setExamples(const std::vector<TemplateRow>& examples)
{
    QList<QWidget*> cards;
    for (const TemplateRow& row : examples) {
        if (cards.size() >= static_cast<qsizetype>(kShown))
            break;
        auto* card = new TemplateCard(row, kExamplePicture, m_examples);
        card->setVerb(cards.isEmpty() ? tr("Open sample") : tr("Open"));
        if (!cards.isEmpty())
            card->setAccessibleName(tr("Open the example %1").arg(row.title));
        connect(card, &QAbstractButton::clicked, this, [this, id = row.id] { Q_EMIT exampleRequested(id); });
        cards << card;
    }
    m_examples->setCards(cards);
}

void StartPage::setRuntime(const RuntimeRow& row)
{
    m_runtime->setRuntime(row);
}

void StartPage::setBusy(bool busy)
{
    m_page->setEnabled(!busy);
    if (busy)
        setCursor(Qt::BusyCursor);
    else
        unsetCursor();
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < scaledLength(kNarrow);
    m_columns->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

} // namespace sg::ui
