#include "ui/logs/log_panel.h"

#include "ui/logs/log_feed.h"
#include "ui/logs/log_view.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kAuditSegment = 3; // behind the three streams

} // namespace

struct LogPanel::Impl : QObject {
    explicit Impl(LogPanel* panel);
    void createBar(QWidget* parent);
    void createFindBar(QWidget* parent);
    void addSources();
    void showSources(const QStringList& chosen);
    void refilter();
    void find(bool backwards);
    void showCounts();

    Strip* bar;
    FilterEdit* filter;
    SegmentedControl* streams;
    QLabel* count;
    QPushButton* follow;
    QPushButton* sources;
    Strip* findBar;
    FilterEdit* found;
    QLabel* notFound;
    QStackedWidget* pages;
    LogView* view;
    EmptyState* empty;
    EmptyState* noMatch;
};

LogPanel::Impl::Impl(LogPanel* panel)
    : QObject(panel)
{
    createBar(panel);
    createFindBar(panel);
    pages = new QStackedWidget(panel);
    view = new LogView(pages);
    empty = new EmptyState(QLatin1String("terminal"),
                           LogPanel::tr("What a run prints appears here, line by line."), pages);
    noMatch = new EmptyState(QLatin1String("filter"), {}, pages);
    connect(noMatch->setButton(LogPanel::tr("Clear filter")), &QPushButton::clicked, this, [this] {
        for (int i = 0; i < kAuditSegment; ++i)
            streams->setOn(i, true);
        filter->setFilter({});
        refilter();
    });
    for (QWidget* page :
         { static_cast<QWidget*>(empty), static_cast<QWidget*>(view), static_cast<QWidget*>(noMatch) })
        pages->addWidget(page);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(findBar);
    column->addWidget(pages, 1);
    connect(view, &LogView::momentRequested, panel, &LogPanel::momentRequested);
    connect(filter, &FilterEdit::filterChanged, this, &Impl::refilter);
    connect(streams, &SegmentedControl::toggled, this, &Impl::refilter);
    connect(follow, &QPushButton::clicked, this, [this] { view->setFollowing(follow->isChecked()); });
    connect(view, &LogView::followingChanged, follow, &QPushButton::setChecked);
    connect(view, &LogView::countsChanged, this, &Impl::showCounts);
    connect(view, &LogView::searchEnded, this, [this](bool isFound) {
        const bool isAsked = !found->text().trimmed().isEmpty();
        notFound->setText(isFound || !isAsked ? QString() : LogPanel::tr("Nowhere in these lines."));
    });
    refilter();
    showCounts();
}

void LogPanel::Impl::createBar(QWidget* parent)
{
    bar = new Strip(32, &Tokens::subtle, parent);
    filter = new FilterEdit(LogPanel::tr("Filter, for example node:model stream:err"),
                            FilterEdit::Sign::Filter, bar);
    filter->setObjectName(QStringLiteral("logFilter"));
    filter->setAccessibleName(LogPanel::tr("Filter the log"));
    filter->setMaximumWidth(scaledLength(320));
    makeDense(filter);
    streams = new SegmentedControl(LogPanel::tr("Shown streams"), SegmentedControl::Mode::Toggles, bar);
    makeDense(streams);
    for (const auto& [text, stream] : { std::pair{ LogPanel::tr("Out"), LogRow::Stream::Out },
                                        std::pair{ LogPanel::tr("Err"), LogRow::Stream::Err },
                                        std::pair{ LogPanel::tr("Events"), LogRow::Stream::Event } })
        streams->setOn(streams->addSegment(text, static_cast<int>(stream)), true);
    streams->addSegment(LogPanel::tr("Audit"), kAuditSegment);
    count = new QLabel(bar);
    count->setFont(uiFont(TextSize::Dense));
    count->setForegroundRole(QPalette::PlaceholderText);
    count->setAccessibleName(LogPanel::tr("Lines"));
    follow = new QPushButton(icon(QLatin1String("follow")), LogPanel::tr("Follow"), bar);
    follow->setObjectName(QStringLiteral("logFollow"));
    follow->setProperty("sgFlat", true);
    follow->setCheckable(true);
    follow->setChecked(true);
    follow->setToolTip(LogPanel::tr("Keep the newest line in sight"));
    makeDense(follow);
    addSources();
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(filter, 3);
    row->addWidget(streams);
    row->addWidget(sources);
    row->addStretch(1);
    row->addWidget(count);
    row->addSpacing(2);
    row->addWidget(follow);
}

void LogPanel::Impl::addSources()
{
    sources = new QPushButton(LogPanel::tr("All sources"), bar);
    sources->setObjectName(QStringLiteral("logSources"));
    sources->setProperty("sgFlat", true);
    sources->setToolTip(LogPanel::tr("Who says it: the same as source: in the filter"));
    makeDense(sources);
    auto* menu = new QMenu(sources);
    const auto add = [this, menu](const QString& title, const QString& word) {
        QAction* source = menu->addAction(title, this, [this, word] {
            static const QRegularExpression known(QStringLiteral("\\s*source:\\S+"));
            const QString wanted = word.isEmpty() ? QString() : QStringLiteral(" source:") + word;
            filter->setFilter((filter->text().remove(known) + wanted).trimmed());
        });
        source->setData(word);
    };
    add(LogPanel::tr("All sources"), {});
    add(LogPanel::tr("Nodes"), QStringLiteral("node"));
    add(LogPanel::tr("Console cells"), QStringLiteral("cell"));
    add(LogPanel::tr("Sandboxes"), QStringLiteral("runner"));
    add(LogPanel::tr("Engine"), QStringLiteral("engine"));
    add(LogPanel::tr("Network"), QStringLiteral("egress"));
    add(LogPanel::tr("Audit"), QStringLiteral("audit"));
    sources->setMenu(menu);
}

void LogPanel::Impl::createFindBar(QWidget* parent)
{
    findBar = new Strip(32, &Tokens::subtle, parent);
    findBar->hide();
    found = new FilterEdit(LogPanel::tr("Find a word, or /expression/"), FilterEdit::Sign::Search, findBar);
    found->setObjectName(QStringLiteral("logFind"));
    found->setAccessibleName(LogPanel::tr("Find in the log"));
    found->setMaximumWidth(scaledLength(320));
    makeDense(found);
    notFound = new QLabel(findBar);
    notFound->setFont(uiFont(TextSize::Dense));
    notFound->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(findBar);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(found, 3);
    const auto add = [this, row](QLatin1String name, const QString& text, auto&& done) {
        auto* button = new QPushButton(icon(name), {}, findBar);
        button->setProperty("sgFlat", true);
        button->setToolTip(text);
        button->setAccessibleName(text);
        makeDense(button);
        connect(button, &QPushButton::clicked, this, done);
        row->addWidget(button);
    };
    add(QLatin1String("up"), LogPanel::tr("Previous (Shift+F3)"), [this] { find(true); });
    add(QLatin1String("down"), LogPanel::tr("Next (F3)"), [this] { find(false); });
    row->addWidget(notFound);
    row->addStretch(2);
    add(QLatin1String("close"), LogPanel::tr("Close the search"), [this] {
        found->clear();
        findBar->hide();
        view->setFound({});
        view->setFocus();
    });
    connect(found, &QLineEdit::textChanged, this, [this](const QString& text) {
        notFound->clear();
        view->setFound(text.trimmed());
    });
    connect(found, &QLineEdit::returnPressed, this, [this] { find(false); });
}

void LogPanel::Impl::find(bool backwards)
{
    notFound->clear();
    view->findNext(backwards);
    if (view->isSearching())
        notFound->setText(LogPanel::tr("Searching…"));
}

void LogPanel::Impl::refilter()
{
    LogFilter made = LogFilter::parse(filter->text());
    for (int i = 0; i < kAuditSegment; ++i)
        made.setShown(static_cast<LogRow::Stream>(i), streams->isOn(i));
    made.setAuditShown(streams->isOn(kAuditSegment));
    view->setFilter(made);
    showSources(made.sources());
}

// Shows the chosen sources, however they were chosen.
void LogPanel::Impl::showSources(const QStringList& chosen)
{
    QString title = sources->menu()->actions().constFirst()->text();
    for (const QAction* source : sources->menu()->actions())
        if (chosen.size() == 1 && chosen.constFirst() == source->data().toString())
            title = source->text();
    sources->setText(chosen.size() > 1 ? LogPanel::tr("Several sources") : title);
}

void LogPanel::Impl::showCounts()
{
    const auto total = static_cast<qint64>(view->rows().total());
    const auto shown = static_cast<qint64>(view->rows().shown());
    QString lines;
    if (total > 0 && shown < total)
        lines = (total == 1 ? LogPanel::tr("%1 of %2 line") : LogPanel::tr("%1 of %2 lines"))
                    .arg(formatCount(shown), formatCount(total));
    else if (total > 0)
        lines = total == 1 ? LogPanel::tr("1 line") : LogPanel::tr("%1 lines").arg(formatCount(total));
    if (view->rows().dropped() > 0)
        lines = LogPanel::tr("%1; older ones are left out").arg(lines);
    const QString problem = view->rows().filter().problem();
    if (!view->rows().isScanned())
        lines = LogPanel::tr("%1 of %2 lines, filtering…").arg(formatCount(shown), formatCount(total));
    setSteadyText(*count, lines);
    if (total > 0 && shown == 0) {
        const QString words = filter->text().trimmed().replace(QLatin1Char('`'), QLatin1Char('\''));
        noMatch->setSentence(!problem.isEmpty()
                                 ? LogPanel::tr("This is no regular expression: %1.").arg(problem)
                                 : words.isEmpty() ? LogPanel::tr("No lines of the chosen streams.")
                                                   : LogPanel::tr("No lines match `%1`.").arg(words));
    }
    pages->setCurrentWidget(total == 0                                   ? static_cast<QWidget*>(empty)
                                : shown == 0 && view->rows().isScanned() ? static_cast<QWidget*>(noMatch)
                                                                         : view);
}

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Log"));
    const auto add = [this](const QString& text, const QKeySequence& key, auto&& done) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, m_impl, done);
        addAction(action);
    };
    add(tr("&Find in the log"), QKeySequence::Find, [this] {
        m_impl->findBar->show();
        m_impl->found->setFocus(Qt::ShortcutFocusReason);
        m_impl->found->selectAll();
    });
    add(tr("Find &next"), QKeySequence::FindNext, [this] { m_impl->find(false); });
    add(tr("Find &previous"), QKeySequence::FindPrevious, [this] { m_impl->find(true); });
    add(tr("Fi&lter the log"), QKeySequence(QStringLiteral("Ctrl+Shift+F")),
        [this] { m_impl->filter->setFocus(Qt::ShortcutFocusReason); });
    add(tr("Fol&d all"), {}, [this] { m_impl->view->setAllFolded(true); });
    add(tr("&Unfold all"), {}, [this] { m_impl->view->setAllFolded(false); });
    add(tr("&Jump to its end, and follow"), {}, [this] { m_impl->view->setFollowing(true); });
}

LogPanel::LogPanel(const PanelParts& parts, QWidget* parent)
    : LogPanel(parent)
{
    new LogFeed(parts, *this);
}

void LogPanel::clear()
{
    m_impl->view->clear();
}

void LogPanel::setRows(std::vector<LogRow> rows)
{
    m_impl->view->reset(rows);
}

void LogPanel::append(const std::vector<LogRow>& rows)
{
    if (!rows.empty())
        m_impl->view->append(rows);
}

void LogPanel::setFilter(const QString& text)
{
    m_impl->filter->setFilter(text);
}

void LogPanel::addPicture(const QString& name, const QImage& picture)
{
    m_impl->view->addPicture(name, picture);
}

void LogPanel::setMoment(double timeMs, bool scroll)
{
    m_impl->view->setMoment(timeMs);
    if (scroll)
        m_impl->view->showMoment();
}

} // namespace sg::ui
