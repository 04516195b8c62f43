#include "ui/logs/log_panel.h"

#include "ui/logs/log_view.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

struct LogPanel::Impl : QObject {
    explicit Impl(LogPanel* panel);
    void createBar(QWidget* parent);
    void refilter();
    void showCounts();

    Strip* bar;
    FilterEdit* filter;
    SegmentedControl* streams;
    QLabel* count;
    QPushButton* follow;
    QStackedWidget* pages;
    LogView* view;
    EmptyState* empty;
    EmptyState* noMatch;
};

LogPanel::Impl::Impl(LogPanel* panel)
    : QObject(panel)
{
    createBar(panel);
    pages = new QStackedWidget(panel);
    view = new LogView(pages);
    empty = new EmptyState(QLatin1String("terminal"),
                           LogPanel::tr("What a run prints appears here, line by line."), pages);
    noMatch = new EmptyState(QLatin1String("filter"), {}, pages);
    connect(noMatch->setButton(LogPanel::tr("Clear filter")), &QPushButton::clicked, this, [this] {
        for (int i = 0; i < streams->count(); ++i)
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
    column->addWidget(pages, 1);
    connect(filter, &FilterEdit::filterChanged, this, &Impl::refilter);
    connect(streams, &SegmentedControl::toggled, this, &Impl::refilter);
    connect(follow, &QPushButton::clicked, this, [this] { view->setFollowing(follow->isChecked()); });
    connect(view, &LogView::followingChanged, follow, &QPushButton::setChecked);
    connect(view, &LogView::countsChanged, this, &Impl::showCounts);
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
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(filter, 3);
    row->addWidget(streams);
    row->addStretch(1);
    row->addWidget(count);
    row->addSpacing(2);
    row->addWidget(follow);
}

void LogPanel::Impl::refilter()
{
    LogFilter made = LogFilter::parse(filter->text());
    for (int i = 0; i < streams->count(); ++i)
        made.setShown(static_cast<LogRow::Stream>(i), streams->isOn(i));
    view->setFilter(made);
}

void LogPanel::Impl::showCounts()
{
    const auto total = static_cast<qint64>(view->rows().total());
    const auto shown = static_cast<qint64>(view->rows().shown());
    if (total == 0)
        count->clear();
    else if (shown < total)
        count->setText(LogPanel::tr("%1 of %2 lines").arg(formatCount(shown), formatCount(total)));
    else
        count->setText(total == 1 ? LogPanel::tr("1 line")
                                  : LogPanel::tr("%1 lines").arg(formatCount(total)));
    if (total > 0 && shown == 0) {
        const QString words = filter->text().trimmed().replace(QLatin1Char('`'), QLatin1Char('\''));
        noMatch->setSentence(words.isEmpty() ? LogPanel::tr("No lines of the chosen streams.")
                                             : LogPanel::tr("No lines match `%1`.").arg(words));
    }
    pages->setCurrentWidget(total == 0       ? static_cast<QWidget*>(empty)
                                : shown == 0 ? static_cast<QWidget*>(noMatch)
                                             : view);
}

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Log"));
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

} // namespace sg::ui
