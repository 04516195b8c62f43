#include "ui/shell/batch_job.h"

#include "core/base/file.h"
#include "ui/bridge/clients.h"
#include "ui/shell/macros.h"
#include "ui/shell/main_window.h"

#include <QBuffer>
#include <QPixmap>
#include <QStatusBar>
#include <QTabBar>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kLookMs = 120;
constexpr int kSameNeeded = 4; // pictures in a row, while nothing is being asked: nothing comes any more
constexpr int kLongestLookMs = 15'000; // what is animated never rests

QString plain(QString text)
{
    return text.remove(QLatin1String("**")).remove(QLatin1Char('`'));
}

} // namespace

QString BatchJob::faultIn(const BatchOrder& order)
{
    static const QStringList layouts{ QStringLiteral("build"), QStringLiteral("debug"),
                                      QStringLiteral("session"), QStringLiteral("review") };
    if (!order.layout.isEmpty() && !layouts.contains(order.layout))
        return tr("There is no layout %1: they are %2.")
            .arg(order.layout, layouts.join(QStringLiteral(", ")));
    if (!order.screenshot.isEmpty() && !order.screenshot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        return tr("A screenshot is a PNG picture: %1 is to end in .png.").arg(order.screenshot);
    if (order.exported.isEmpty())
        return {};
    for (const char* ending : { ".svg", ".png", ".dot", ".mmd" })
        if (order.exported.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return {};
    return tr("%1 says no form: its name is to end in .svg, .png, .dot or .mmd.").arg(order.exported);
}

BatchJob::BatchJob(MainWindow& window, const BatchOrder& order, QObject* parent)
    : QObject(parent)
    , m_window(window)
    , m_order(order)
{
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &BatchJob::look);
    connect(&window, &MainWindow::notOpened, this, [this](const UserError& error) { m_notOpened = error; });
    connect(&window, &MainWindow::ready, this, &BatchJob::begin, Qt::SingleShotConnection);
    connect(&window.macros(), &Macros::ended, this,
            [this](const QString& reason, bool isRunsFault, bool isFilesFault) {
                if (m_isOver) // one that the user plays
                    return;
                m_window.statusBar()->clearMessage(); // it says so itself
                if (!reason.isEmpty())
                    end(isRunsFault ? NodeFailed : isFilesFault || !m_hasChosen ? Usage : Failed, reason);
                else if (!std::exchange(m_hasChosen, true))
                    playFile();
                else
                    showPanel();
            });
    connect(&window.clients().editing, &EditingClient::graphExported, this,
            [this](const QString&, const QString&, const UserError& error) {
                end(error.what.isEmpty() ? Done : Failed, error.what);
            });
}

Macro BatchJob::wishes() const
{
    MacroStep chosen;
    if (!m_order.thread.isEmpty())
        chosen.thread = m_order.thread.toStdString();
    bool isNumber = false;
    const int step = m_order.checkpoint.toInt(&isNumber);
    if (m_order.checkpoint == QLatin1String("head"))
        chosen.checkpoint = MacroHead();
    else if (isNumber)
        chosen.checkpoint = step;
    else if (!m_order.checkpoint.isEmpty())
        chosen.checkpoint = m_order.checkpoint.toStdString();
    if (!m_order.node.isEmpty())
        chosen.node = m_order.node.toStdString();
    MacroStep layout;
    if (!m_order.layout.isEmpty())
        layout.command = "layout." + m_order.layout.toStdString();
    return { tr("of the command line").toStdString(), { chosen, layout } };
}

void BatchJob::begin()
{
    if (m_notOpened.what.isEmpty())
        m_window.macros().play(wishes());
    else
        end(Failed, m_notOpened.what);
}

void BatchJob::playFile()
{
    if (m_order.macro.isEmpty())
        showPanel();
    else
        m_window.macros().play(m_order.macro);
}

void BatchJob::showPanel()
{
    if (!m_order.panel.isEmpty() && !m_window.showPanel(m_order.panel)) {
        end(Usage, tr("There is no panel %1. They stand in the Window menu.").arg(m_order.panel));
        return;
    }
    if (m_order.screenshot.isEmpty()) {
        exportGraph();
        return;
    }
    m_sinceLook.start();
    m_look.start();
}

void BatchJob::look()
{
    // If a panel that had the focus was hidden, Qt gives the focus to what comes next, a tab for example, or
    // to nothing.
    if (auto* tabs = qobject_cast<QTabBar*>(m_window.focusWidget()))
        tabs->clearFocus();
    const QImage now = m_window.grab().toImage();
    m_same = m_window.clients().project.isAtRest() && now == m_seen ? m_same + 1 : 0;
    m_seen = now;
    if (m_same < kSameNeeded && m_sinceLook.elapsed() < kLongestLookMs)
        return;
    m_look.stop();
    save(now);
}

void BatchJob::save(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !picture.save(&buffer, "PNG")) {
        end(Failed, tr("The picture could not be made: there is too little memory."));
        return;
    }
    auto written = writeFileAtomically(m_order.screenshot.toStdString(), bytes.toStdString());
    if (!written)
        end(Failed, QString::fromStdString(written.error().message));
    else
        exportGraph();
}

void BatchJob::exportGraph()
{
    if (m_order.exported.isEmpty())
        return end(Done, {});
    if (const QString problem = m_window.whyNotExport(); !problem.isEmpty())
        return end(InvalidGraph, tr("The graph has errors: %1. See: sandglass validate").arg(problem));
    if (const QString problem = m_window.exportGraph(m_order.exported); !problem.isEmpty())
        end(Usage, problem);
}

void BatchJob::end(int code, const QString& problem)
{
    if (std::exchange(m_isOver, true))
        return;
    m_look.stop();
    Q_EMIT done(code, plain(problem));
}

} // namespace sg::ui
