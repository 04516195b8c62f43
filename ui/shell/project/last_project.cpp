#include "ui/shell/project/last_project.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>
#include <QVariant>

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace sg::ui {
namespace {

// "flows" of an address, whose parameters are no part of the name.
QString nameOf(const QString& path)
{
    return QFileInfo(path.section(QLatin1Char('?'), 0, 0)).fileName();
}

constexpr int kBlankMs = 400; // a project that opens sooner is the first thing to be seen
constexpr int kKeepCursorMs = 600;

QString key(const char* name)
{
    return QStringLiteral("last/") + QLatin1String(name);
}

const QString& reopens()
{
    static const QString name = QStringLiteral("start/reopen");
    return name;
}

// A start that ended while it opened a project leaves its process id. One that lives goes on opening; this
// one's own is that of an earlier process, in a container for example.
bool hasEnded(const QVariant& process)
{
    bool isNumber = false;
    const auto pid = static_cast<pid_t>(process.toString().toInt(&isNumber));
    if (!isNumber || pid <= 0 || pid == ::getpid())
        return true;
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

} // namespace

LastProject::LastProject(const WindowParts& parts, QStackedWidget& pages, QWidget& start)
    : WindowPart(parts)
    , m_pages(&pages)
    , m_start(&start)
{
    m_cursorSoon = new QTimer(this);
    m_cursorSoon->setSingleShot(true);
    m_cursorSoon->setInterval(kKeepCursorMs);
    connect(m_cursorSoon, &QTimer::timeout, this, &LastProject::keepCursor);
    const auto soon = [this] {
        const bool isElsewhere = m_cursorWanted && !m_selection->thread().isEmpty()
            && (m_selection->thread() != m_cursorWanted->first || !m_selection->isAtHead());
        if (isElsewhere) // the user has gone there meanwhile
            m_cursorWanted.reset();
        if (m_clients->project.isOpen() && !m_cursorWanted)
            m_cursorSoon->start();
    };
    connect(m_selection, &Selection::threadChanged, this, soon);
    connect(m_selection, &Selection::checkpointChanged, this, soon);
    connect(&m_clients->project, &OpenProject::opened, this, [this] {
        forgetOpening();
        if (!std::exchange(m_isReopening, false))
            m_cursorWanted.reset();
    });
    connect(m_history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (change.isRead())
            showCursorWanted();
    });
}

void LastProject::addTo(QMenu& file)
{
    QAction* wanted = file.addAction(tr("Reopen the last project at s&tart"), this,
                                     [](bool isWanted) { QSettings().setValue(reopens(), isWanted); });
    wanted->setObjectName(QStringLiteral("file.reopen-at-start"));
    wanted->setCheckable(true);
    wanted->setChecked(QSettings().value(reopens(), true).toBool());
}

QString LastProject::pathOf(const ProjectInfo& info)
{
    if (!info.readOnlyWhy.isEmpty())
        return info.folder; // which may be writable by then
    if (info.isReadOnly)
        return info.shared.isEmpty() ? info.database : info.shared;
    return info.graphPath.isEmpty() ? info.folder : info.graphPath;
}

QString LastProject::databaseOf(const ProjectInfo& info)
{
    return info.isReadOnly ? QString() : info.shared;
}

QString LastProject::threadWanted(const QStringList& threads)
{
    if (m_cursorWanted && !threads.contains(m_cursorWanted->first))
        m_cursorWanted.reset(); // that thread is gone
    return m_cursorWanted ? m_cursorWanted->first : QString();
}

// Thread and checkpoint are those of one project: all three are written together.
void LastProject::keepLast(const ProjectInfo& info)
{
    const QString path = pathOf(info);
    const QString database = databaseOf(info);
    QSettings settings;
    if (settings.value(key("project")).toString() == path
        && settings.value(key("database")).toString() == database)
        return;
    settings.setValue(key("project"), path);
    settings.setValue(key("database"), database);
    settings.remove(key("thread"));
    settings.remove(key("checkpoint"));
}

void LastProject::keepCursor()
{
    if (!m_clients->project.isOpen() || m_cursorWanted)
        return;
    QSettings settings;
    settings.setValue(key("project"),
                      pathOf(m_clients->project.info())); // another window may have written its own
    settings.setValue(key("database"), databaseOf(m_clients->project.info()));
    settings.setValue(key("thread"), m_selection->thread());
    settings.setValue(key("checkpoint"), m_selection->checkpoint());
}

void LastProject::forgetOpening()
{
    QSettings().remove(key("opening"));
}

// If the last start ended while it opened that project, the project may be the reason: then it is only
// offered.
void LastProject::reopen()
{
    QSettings settings;
    const QString path = settings.value(key("project")).toString();
    const QString database = settings.value(key("database")).toString();
    const bool didEnd = settings.contains(key("opening")) && hasEnded(settings.value(key("opening")));
    settings.remove(key("opening"));
    if (path.isEmpty() || !settings.value(reopens(), true).toBool() || didEnd) {
        if (!path.isEmpty() && didEnd) {
            m_banners->tell(BannerStack::Owner::Connection,
                            { .kind = Banner::Kind::Warning,
                              .text = tr("**The window ended while it opened %1.** It was not opened again.")
                                          .arg(nameOf(path)),
                              .toolTip = path,
                              .actions = { { .text = tr("Open it"), .run = [this, path, database] {
                                                Q_EMIT openWanted(path, database);
                                            } } } });
        }
        QTimer::singleShot(0, this, &LastProject::ready);
        return;
    }
    settings.setValue(key("opening"), static_cast<qlonglong>(::getpid()));
    settings.sync();
    m_isReopening = true;
    m_cursorWanted = { settings.value(key("thread")).toString(),
                       settings.value(key("checkpoint")).toString() };
    auto* blank = new QWidget(m_pages);
    blank->setAutoFillBackground(true);
    blank->setBackgroundRole(QPalette::Base);
    m_pages->addWidget(blank);
    m_pages->setCurrentWidget(blank);
    const auto showPage = [this, blank] {
        if (m_pages->currentWidget() == blank)
            m_pages->setCurrentWidget(m_start);
        blank->deleteLater();
    };
    connect(&m_clients->project, &OpenProject::opened, blank, showPage);
    connect(&m_clients->project, &OpenProject::openFailed, blank, showPage);
    QTimer::singleShot(kBlankMs, blank, [this, path, showPage] {
        showPage();
        if (m_isReopening)
            showReopening(path);
    });
    m_clients->project.open(path, database);
}

// It takes long: the start page can be used meanwhile.
void LastProject::showReopening(const QString& path)
{
    m_banners->tell(
        BannerStack::Owner::Connection,
        { .text = tr("**Opening %1**, which was open last.").arg(nameOf(path)),
          .toolTip = path,
          .isQuestion = true,
          .actions = {
              { .text = tr("Do not open it"), .run = [this] { doNotReopen(); }, .isLink = true } } });
}

void LastProject::doNotReopen()
{
    m_clients->project.cancelOpening();
    m_isReopening = false;
    m_cursorWanted.reset();
    forgetOpening();
    Q_EMIT ready();
}

void LastProject::tellNotOpened(const UserError& error)
{
    forgetOpening();
    m_cursorWanted.reset();
    if (!std::exchange(m_isReopening, false))
        return showError(error);
    UserError told = error;
    told.what = tr("**What was open last cannot be opened.** %1").arg(error.what);
    sg::ui::tellError(
        m_parts, BannerStack::Owner::Connection, told,
        { { .text = tr("Forget it"), .run = [] { QSettings().remove(key("project")); }, .isLink = true } });
}

// A history comes in parts; what is not in the whole of it has been removed.
void LastProject::showCursorWanted()
{
    if (!m_cursorWanted || m_cursorWanted->first != m_selection->thread())
        return;
    const QString checkpoint = m_cursorWanted->second;
    const bool isThere = !checkpoint.isEmpty() && m_history->row(checkpoint).id == checkpoint;
    if (!isThere && !checkpoint.isEmpty() && !m_history->isWhole())
        return;
    m_cursorWanted.reset();
    if (isThere)
        m_history->goTo(checkpoint);
}

} // namespace sg::ui
