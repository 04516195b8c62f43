#include "ui/compare/compare_panel.h"

#include "ui/compare/comparison_tables.h"
#include "ui/compare/flow_view.h"
#include "ui/compare/run_comparison.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QCompleter>
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
    QWidget* makeBar();
    QComboBox* chooser(const QString& name, QWidget* bar);
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
    QWidget* bar = makeBar();
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
    auto* bar = new Strip(32, &Tokens::border, panel);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 12, 1);
    row->setSpacing(6);
    auto* signA = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, bar);
    signA->setText(QStringLiteral("A"));
    auto* signB = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, bar);
    signB->setText(QStringLiteral("B"));
    a = chooser(ComparePanel::tr("A: what is compared"), bar);
    b = chooser(ComparePanel::tr("B: what it is compared with"), bar);
    difference = new QPushButton(bar);
    difference->setProperty("sgLink", true);
    makeDense(difference);
    difference->setAccessibleName(ComparePanel::tr("First difference"));
    difference->hide();
    counts = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, bar);
    row->addWidget(signA);
    row->addWidget(a);
    row->addSpacing(8);
    row->addWidget(signB);
    row->addWidget(b);
    row->addSpacing(8);
    row->addWidget(difference);
    mode = new SegmentedControl(ComparePanel::tr("How both are shown"), SegmentedControl::Mode::Single, bar);
    makeDense(mode);
    mode->addSegment(ComparePanel::tr("Tables"));
    mode->addSegment(ComparePanel::tr("Graph"));
    row->addStretch();
    row->addWidget(counts);
    row->addSpacing(4);
    row->addWidget(mode);
    return bar;
}

QComboBox* ComparePanel::Impl::chooser(const QString& name, QWidget* bar)
{
    auto* made = new QComboBox(bar);
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
    difference->setVisible(comparison.step.has_value());
    if (comparison.step) {
        QStringList after = comparison.nodesA + comparison.nodesB;
        after.removeDuplicates();
        const QString step = QString::number(*comparison.step);
        difference->setText(after.isEmpty() ? ComparePanel::tr("First difference: step %1").arg(step)
                                            : ComparePanel::tr("First difference: step %1, %2")
                                                  .arg(step, after.join(QStringLiteral(", "))));
        difference->setAccessibleName(difference->text());
    }
    counts->setText(comparison.step || hasDifference(comparison) ? differenceCounts(comparison)
                                                                 : ComparePanel::tr("No difference"));
    counts->setToolTip(ComparePanel::tr("%n checkpoints shared", nullptr, comparison.shared));
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
