#include "ui/compare/compare_panel.h"

#include "ui/bridge/clients.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/flow_view.h"
#include "ui/compare/run_comparison.h"
#include "ui/jobs/latest_job.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QStringListModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr int kShownLetters = 16;
constexpr int kShownMatches = 12;
constexpr int kLeastOneRow = 900; // width from which on the bar has one row

// "1 same, 2 changed, 1 only in A, 5 only in B", of the nodes
QString differenceCounts(const RunComparison& comparison)
{
    using Kind = NodeComparison::Kind;
    const auto count = [&](Kind kind) {
        return std::ranges::count(comparison.nodes, kind, &NodeComparison::kind);
    };
    QStringList words;
    const auto add = [&](Kind kind, const QString& text) {
        if (const auto found = count(kind); found > 0)
            words << text.arg(found);
    };
    add(Kind::Same, ComparePanel::tr("%1 same"));
    add(Kind::Changed, ComparePanel::tr("%1 changed"));
    add(Kind::OnlyA, ComparePanel::tr("%1 only in A"));
    add(Kind::OnlyB, ComparePanel::tr("%1 only in B"));
    return words.join(QStringLiteral(", "));
}

bool hasDifference(const RunComparison& comparison)
{
    return std::ranges::any_of(comparison.channels, [](const ChannelComparison& channel) {
        return channel.kind != ChannelComparison::Kind::Same;
    });
}

} // namespace

struct ComparePanel::Impl : QObject {
    explicit Impl(ComparePanel* panel);
    bool eventFilter(QObject* watched, QEvent* event) override;
    QWidget* makeBar();
    void layOutBar(); // in two rows where it is narrow
    void showDifferenceText();
    QComboBox* chooser(const QString& name, QWidget* parent);
    void ask();
    void show(const RunComparison& comparison);
    void showDifferences(); // of the graph: the left ones, if there is no room for all

    ComparePanel* panel;
    std::vector<Choice> choices;
    QStringListModel* words; // texts of the choices
    ComparisonRows rows;
    RunComparison shown;
    LatestJob job{ this };
    QComboBox* a;
    QComboBox* b;
    QWidget* bar = nullptr;
    Strip* second = nullptr; // the row below, with what does not fit into the first
    QHBoxLayout* firstRow = nullptr;
    QHBoxLayout* secondRow = nullptr;
    QString differenceText; // whole
    InkLabel* counts;
    QPushButton* difference;
    QStackedLayout* stack;
    EmptyState* empty;
    SegmentedControl* mode;
    QStackedWidget* modes;
    QScrollArea* flowArea;
    FlowView* flow;
    QTreeView* nodes;
    QTreeView* channels;
    QTreeView* figures;
};

ComparePanel::Impl::Impl(ComparePanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , words(new QStringListModel(this))
{
    bar = makeBar();
    modes = new QStackedWidget(panel);
    auto* splitter = new QSplitter(Qt::Horizontal, modes);
    flowArea = new QScrollArea(modes);
    flowArea->setFrameShape(QFrame::NoFrame);
    flowArea->setWidgetResizable(true);
    flowArea->setAccessibleName(ComparePanel::tr("Graph of both runs"));
    flow = new FlowView(flowArea);
    flowArea->setWidget(flow);
    nodes = comparisonTable(ComparePanel::tr("Nodes compared"), splitter);
    channels = comparisonTable(ComparePanel::tr("States compared"), splitter);
    figures = comparisonTable(ComparePanel::tr("Figures compared"), splitter);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 4);
    splitter->setStretchFactor(2, 2);
    modes->addWidget(splitter);
    modes->addWidget(flowArea);
    connect(mode, &SegmentedControl::activated, this, [this](int index) {
        modes->setCurrentIndex(index);
        showDifferences();
    });
    empty = new EmptyState(QLatin1String("compare"),
                           ComparePanel::tr("Choose two branches or threads to compare."), panel);
    stack = new QStackedLayout;
    stack->addWidget(empty);
    stack->addWidget(modes);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addLayout(stack, 1);
    connect(difference, &QPushButton::clicked, this, [this] {
        const bool isA = !shown.checkpointA.isEmpty();
        Q_EMIT panel->checkpointChosen(isA ? rows.a.thread : rows.b.thread,
                                       isA ? shown.checkpointA : shown.checkpointB);
    });
}

QWidget* ComparePanel::Impl::makeBar()
{
    auto* both = new QWidget(panel);
    auto* first = new Strip(32, &Tokens::border, both);
    second = new Strip(28, &Tokens::border, both);
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(first);
    column->addWidget(second);
    firstRow = new QHBoxLayout(first);
    secondRow = new QHBoxLayout(second);
    for (QHBoxLayout* row : { firstRow, secondRow }) {
        row->setContentsMargins(12, 0, 12, 1);
        row->setSpacing(6);
    }
    secondRow->addStretch();
    second->hide();
    auto* signA = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, first);
    signA->setText(QStringLiteral("A"));
    auto* signB = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, first);
    signB->setText(QStringLiteral("B"));
    for (InkLabel* sign : { signA, signB })
        sign->setMinimumWidth(sign->sizeHint().width());
    a = chooser(ComparePanel::tr("A: what is compared"), first);
    b = chooser(ComparePanel::tr("B: what it is compared with"), first);
    difference = new QPushButton(first);
    difference->setProperty("sgLink", true);
    makeDense(difference);
    difference->setAccessibleName(ComparePanel::tr("First difference"));
    difference->setObjectName(QStringLiteral("firstDifference"));
    difference->hide();
    counts = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, first);
    mode =
        new SegmentedControl(ComparePanel::tr("How both are shown"), SegmentedControl::Mode::Single, first);
    makeDense(mode);
    mode->addSegment(ComparePanel::tr("Tables"));
    mode->addSegment(ComparePanel::tr("Graph"));
    firstRow->addWidget(signA);
    firstRow->addWidget(a, 1);
    firstRow->addSpacing(8);
    firstRow->addWidget(signB);
    firstRow->addWidget(b, 1);
    firstRow->addSpacing(8);
    firstRow->addWidget(difference);
    firstRow->addStretch(2);
    firstRow->addWidget(counts);
    firstRow->addSpacing(4);
    firstRow->addWidget(mode);
    both->installEventFilter(this);
    return both;
}

bool ComparePanel::Impl::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == bar && event->type() == QEvent::Resize)
        layOutBar();
    return QObject::eventFilter(watched, event);
}

void ComparePanel::Impl::layOutBar()
{
    const bool isNarrow = bar->width() < scaledLength(kLeastOneRow);
    const bool isBelow = secondRow->indexOf(difference) >= 0;
    if (isNarrow != isBelow) {
        QHBoxLayout& to = isNarrow ? *secondRow : *firstRow;
        QHBoxLayout& from = isNarrow ? *firstRow : *secondRow;
        from.removeWidget(difference);
        from.removeWidget(counts);
        // Before the stretch, and behind it.
        const int place = isNarrow ? 0 : firstRow->indexOf(b) + 2;
        to.insertWidget(place, difference);
        to.insertWidget(place + 2, counts);
    }
    second->setVisible(isNarrow && (!differenceText.isEmpty() || !counts->text().isEmpty()));
    showDifferenceText();
}

void ComparePanel::Impl::showDifferenceText()
{
    const int beside = second->isHidden()
        ? firstRow->sizeHint().width() - (difference->isHidden() ? 0 : difference->sizeHint().width())
        : scaledLength(48) + counts->sizeHint().width();
    const int room = std::max(scaledLength(80), bar->width() - beside - scaledLength(24));
    difference->setText(difference->fontMetrics().elidedText(differenceText, Qt::ElideRight, room));
    difference->setToolTip(difference->text() == differenceText ? QString() : differenceText);
    difference->setVisible(!differenceText.isEmpty());
}

QComboBox* ComparePanel::Impl::chooser(const QString& name, QWidget* parent)
{
    auto* made = new QComboBox(parent);
    makeDense(made);
    made->setAccessibleName(name);
    // There may be a hundred thousand threads, so the box does not measure them; they are found by typing.
    made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    made->setMinimumContentsLength(kShownLetters);
    made->setMinimumWidth(scaledLength(140));
    made->setEditable(true);
    made->setInsertPolicy(QComboBox::NoInsert);
    made->setModel(words);
    made->lineEdit()->setPlaceholderText(ComparePanel::tr("Find a branch or thread"));
    made->lineEdit()->setAccessibleName(name);
    if (auto* list = qobject_cast<QListView*>(made->view()))
        list->setUniformItemSizes(true);
    auto* completer = new QCompleter(words, made);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(kShownMatches);
    made->setCompleter(completer);
    connect(made, &QComboBox::activated, this, &Impl::ask);
    connect(made->lineEdit(), &QLineEdit::editingFinished, made, [made] {
        made->setEditText(made->itemText(made->currentIndex()));
    }); // resets a text that is no choice
    return made;
}

void ComparePanel::Impl::ask()
{
    if (a->currentIndex() < 0 || b->currentIndex() < 0 || a->currentIndex() == b->currentIndex())
        return;
    Q_EMIT panel->comparisonRequested(choices[static_cast<std::size_t>(a->currentIndex())],
                                      choices[static_cast<std::size_t>(b->currentIndex())]);
}

void ComparePanel::Impl::show(const RunComparison& comparison)
{
    shown = comparison;
    differenceText.clear();
    if (comparison.step) {
        QStringList after = comparison.nodesA + comparison.nodesB;
        after.removeDuplicates();
        const QString step = QString::number(*comparison.step);
        differenceText = after.isEmpty()
            ? ComparePanel::tr("First difference: step %1").arg(step)
            : ComparePanel::tr("First difference: step %1, %2").arg(step, after.join(QStringLiteral(", ")));
        difference->setAccessibleName(differenceText);
    }
    counts->setText(comparison.step || hasDifference(comparison) ? differenceCounts(comparison)
                                                                 : ComparePanel::tr("No difference"));
    counts->setToolTip(ComparePanel::tr("%n checkpoints shared", nullptr, comparison.shared));
    layOutBar();
    flow->setFlow(mergedFlow(rows, comparison));
    showDifferences();
    fillNodes(*nodes, comparison);
    fillChannels(*channels, comparison);
    fillFigures(*figures, comparison);
    stack->setCurrentIndex(1);
}

void ComparePanel::Impl::showDifferences()
{
    const QRect around = flow->differences();
    if (around.isEmpty() || modes->currentWidget() != flowArea)
        return;
    flow->resize(flow->sizeHint().expandedTo(flowArea->viewport()->size()));
    flowArea->ensureVisible(around.right(), around.bottom(), 16, 16);
    flowArea->ensureVisible(around.left(), around.top(), 16, 16);
}

ComparePanel::ComparePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Compare"));
}

ComparePanel::ComparePanel(const PanelParts& parts, QWidget* parent)
    : ComparePanel(parent)
{
    HistoryClient* client = &parts.clients.history;
    connect(this, &ComparePanel::comparisonRequested, client, [client](const Choice& a, const Choice& b) {
        client->compare(a.thread, a.checkpoint, b.thread, b.checkpoint);
    });
    connect(client, &HistoryClient::compared, this,
            [this](const ComparisonRows& rows, const UserError& error) {
                if (error.what.isEmpty())
                    setComparison(rows);
                else
                    setError(error.what);
            });
    connect(this, &ComparePanel::checkpointChosen, &parts.selection,
            [selection = &parts.selection](const QString& thread, const QString& checkpoint) {
                selection->setThread(thread);
                selection->setCheckpoint(checkpoint);
            });
    connect(new Sight(*this), &Sight::came, this, [this, parts] { offer(parts); });
}

// The branches of the shown thread first, then the other threads.
void ComparePanel::offer(const PanelParts& parts)
{
    std::vector<Choice> choices;
    const QString shown = parts.selection.thread();
    for (const ShownHistory::Branch& branch : parts.history.branches())
        choices.push_back({ shown, branch.end, tr("%1, %2").arg(parts.book.label(shown), branch.name) });
    for (const QString& thread : parts.book.threads())
        if (thread != shown)
            choices.push_back({ thread, {}, parts.book.label(thread) });
    setChoices(choices);
}

// Or the first with the second; else with another thread.
void ComparePanel::compareBranch(const PanelParts& parts)
{
    offer(parts);
    const int here = std::max(0, parts.history.currentBranch());
    choose(here == 0 ? 0 : here - 1, here == 0 ? 1 : here);
    if (parts.history.branches().empty())
        setError(tr("Nothing to compare yet: run the thread first."));
}

void ComparePanel::setChoices(const std::vector<Choice>& choices)
{
    const auto same = [](const Choice& one, const Choice& other) {
        return one.thread == other.thread && one.checkpoint == other.checkpoint;
    };
    QComboBox* const boxes[] = { m_impl->a, m_impl->b };
    int again[] = { -1, -1 };
    for (int box = 0; box < 2; ++box) {
        const int before = boxes[box]->currentIndex();
        if (before < 0 || before >= static_cast<int>(m_impl->choices.size()))
            continue;
        const Choice& chosen = m_impl->choices[static_cast<std::size_t>(before)];
        const auto found =
            std::ranges::find_if(choices, [&](const Choice& choice) { return same(choice, chosen); });
        if (found != choices.end())
            again[box] = static_cast<int>(found - choices.begin());
    }
    m_impl->choices = choices;
    QStringList words;
    for (const Choice& choice : choices)
        words << choice.words;
    m_impl->words->setStringList(words);
    for (int box = 0; box < 2; ++box)
        boxes[box]->setCurrentIndex(again[box]);
}

void ComparePanel::choose(int a, int b)
{
    m_impl->a->setCurrentIndex(a);
    m_impl->b->setCurrentIndex(b);
    m_impl->ask();
}

void ComparePanel::setComparison(const ComparisonRows& rows)
{
    m_impl->job.start([rows](const CancelFlag&) { return compareRuns(rows); },
                      [this, rows](const RunComparison& comparison) {
                          m_impl->rows = rows;
                          m_impl->show(comparison);
                      });
}

void ComparePanel::setError(const QString& message)
{
    m_impl->job.cancel();
    m_impl->empty->setIcon(QLatin1String("error"));
    m_impl->empty->setSentence(message);
    connect(m_impl->empty->setButton(tr("Compare again")), &QPushButton::clicked, m_impl, &Impl::ask,
            Qt::UniqueConnection);
    m_impl->stack->setCurrentIndex(0);
}

} // namespace sg::ui
