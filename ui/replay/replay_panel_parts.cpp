#include "ui/replay/patch_table.h"
#include "ui/replay/planned_tasks.h"
#include "ui/replay/replay_panel_impl.h"
#include "ui/replay/replay_section.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

// Creates the parts of the preview.
namespace sg::ui {
namespace {

QLabel* words(QWidget* parent)
{
    auto* label = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, parent);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setContentsMargins(12, 4, 12, 8);
    return label;
}

// Scrolls, so that any number of rows can be read.
QScrollArea* scrolled(QWidget* body, const QString& name)
{
    auto* area = new QScrollArea(body->parentWidget());
    area->setAccessibleName(name);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setWidget(body);
    area->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    return area;
}

} // namespace

ReplayPanel::Impl::Impl(ReplayPanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , patch(new StagedPatch(this))
{
    createTitle();
    createSections();
    createButtons();
    auto* sections = new QHBoxLayout;
    sections->setSpacing(0);
    sections->addWidget(patchSection, 5);
    sections->addWidget(taskSection, 5);
    sections->addWidget(sandboxSection, 4);
    sections->addWidget(factSection, 4);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(titleRow);
    column->addLayout(sections, 1);
    column->addWidget(buttonRow);
    connect(patch, &StagedPatch::changed, this, &Impl::patchChanged);
}

void ReplayPanel::Impl::createTitle()
{
    titleRow = new Strip(36, &Tokens::border, panel);
    sign = new QLabel(titleRow);
    title = new QLabel(titleRow);
    title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    where = new ElidedLabel({}, titleRow);
    where->setFont(uiFont(TextSize::Dense));
    where->setForegroundRole(QPalette::PlaceholderText);
    promise = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, titleRow);
    auto* cancel = new QToolButton(titleRow);
    cancel->setIcon(icon(QLatin1String("close")));
    cancel->setAutoRaise(true);
    cancel->setAccessibleName(ReplayPanel::tr("Close the preview"));
    connect(cancel, &QToolButton::clicked, this, [this] { panel->mayLeave([this] { close(); }); });
    auto* row = new QHBoxLayout(titleRow);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(sign);
    row->addWidget(title);
    row->addWidget(where, 1);
    row->addWidget(promise);
    row->addWidget(cancel);
}

void ReplayPanel::Impl::createSections()
{
    patchSection = new ReplaySection(ReplayPanel::tr("Staged changes"), panel);
    table = new PatchTable(*patch, patchSection);
    hint = patchSection->addNote(ReplayPanel::tr("Enter or a double click changes a value"));
    revert = patchSection->addLink(ReplayPanel::tr("Revert"));
    patchSection->setBody(table);
    connect(revert, &QPushButton::clicked, patch, &StagedPatch::revertAll);
    taskSection = new ReplaySection(ReplayPanel::tr("Will run"), panel);
    taskSection->addNote(ReplayPanel::tr("last time"));
    tasks = new PlannedTasks(taskSection);
    taskSection->setBody(tasks);
    factSection = new ReplaySection(ReplayPanel::tr("What it touches"), panel);
    facts = words(factSection);
    factSection->setBody(scrolled(facts, ReplayPanel::tr("What it touches")));
    createSandbox();
}

void ReplayPanel::Impl::createSandbox()
{
    sandboxSection = new ReplaySection({}, panel);
    sandboxSign = sandboxSection->addSign();
    fate = words(sandboxSection);
    sandboxSection->setBody(scrolled(fate, ReplayPanel::tr("What is restored")));
    auto* choice = new QWidget(sandboxSection);
    sandbox = new QComboBox(choice);
    makeDense(sandbox);
    sandbox->setAccessibleName(ReplayPanel::tr("Sandbox"));
    sandbox->setToolTip(ReplayPanel::tr("What becomes of the sandbox"));
    sandbox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* row = new QHBoxLayout(choice);
    row->setContentsMargins(12, 0, 12, 8);
    row->addWidget(sandbox);
    sandboxSection->addFoot(choice);
    connect(sandbox, &QComboBox::currentIndexChanged, this, &Impl::showPlanned);
}

void ReplayPanel::Impl::createButtons()
{
    buttonRow = new Strip(44, &Tokens::border, panel, Strip::Line::Above);
    writerTitle = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, buttonRow);
    writerTitle->setText(ReplayPanel::tr("Written as"));
    writer = new QComboBox(buttonRow);
    writer->setAccessibleName(writerTitle->text());
    until = new QComboBox(buttonRow);
    until->setAccessibleName(ReplayPanel::tr("How far it runs"));
    problem = new InkLabel(&Tokens::failed, TextSize::Dense, QFont::Normal, buttonRow);
    problem->setWordWrap(true);
    auto* cancel = new QPushButton(ReplayPanel::tr("Cancel"), buttonRow);
    cancel->setProperty("sgFlat", true);
    later = new QPushButton(ReplayPanel::tr("Fork, run later"), buttonRow);
    now = new QPushButton(ReplayPanel::tr("Replay"), buttonRow);
    now->setProperty("sgPrimary", true);
    connect(until, &QComboBox::currentIndexChanged, this, &Impl::showPlanned);
    connect(cancel, &QPushButton::clicked, this, [this] { panel->mayLeave([this] { close(); }); });
    connect(later, &QPushButton::clicked, this, [this] { go(false); });
    connect(now, &QPushButton::clicked, this, [this] { go(true); });
    auto* row = new QHBoxLayout(buttonRow);
    row->setContentsMargins(12, 1, 12, 0);
    row->setSpacing(8);
    row->addWidget(writerTitle);
    row->addWidget(writer);
    row->addWidget(problem, 1);
    row->addWidget(until);
    row->addWidget(cancel);
    row->addWidget(later);
    row->addWidget(now);
}

} // namespace sg::ui
