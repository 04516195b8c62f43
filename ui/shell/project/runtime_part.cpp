#include "ui/shell/project/runtime_part.h"

#include "ui/bridge/clients.h"
#include "ui/start/start_page.h"
#include "ui/widgets/fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>

#include <utility>

namespace sg::ui {

RuntimePart::RuntimePart(const WindowParts& parts, StartPage& page)
    : WindowPart(parts)
    , m_page(&page)
    , m_status(new QWidget(m_window->statusBar()))
    , m_bar(new QProgressBar(m_status))
    , m_words(new QLabel(m_status))
{
    m_status->setObjectName(QStringLiteral("statusPreparing"));
    auto* row = new QHBoxLayout(m_status);
    row->setContentsMargins(10, 0, 10, 0);
    auto* what = new QLabel(tr("Preparing the sandbox"), m_status);
    for (QLabel* label : { what, m_words })
        label->setFont(uiFont(TextSize::Dense));
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(scaledLength(64), 6);
    m_bar->setAccessibleName(what->text());
    row->addWidget(what);
    row->addWidget(m_bar);
    row->addWidget(m_words);
    m_status->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_window->statusBar()->addWidget(m_status);
    m_status->hide();
    OpenProject& project = m_clients->project;
    connect(m_page, &StartPage::prepareRequested, this, &RuntimePart::prepare);
    connect(&project, &OpenProject::runtimeProgress, this, &RuntimePart::showProgress);
    connect(&project, &OpenProject::runtimeReady, this, &RuntimePart::ended);
    connect(&project, &OpenProject::closing, this, [this] { m_waiting = {}; });
    connect(&m_clients->projects, &ProjectsClient::runtimeChecked, m_page, &StartPage::setRuntime);
    m_clients->projects.checkRuntime();
}

void RuntimePart::prepare()
{
    m_clients->project.prepareRuntime();
}

void RuntimePart::showProgress(const RuntimeRow& row)
{
    m_page->setRuntime(row);
    m_bar->setValue(row.percent);
    m_words->setText(row.step.isEmpty() ? tr("%1 %").arg(row.percent)
                                        : tr("%1 %, %2").arg(row.percent).arg(row.step));
    if (m_status->isHidden()) {
        m_status->show();
        tell(m_clients->project.info().sandbox);
    }
}

void RuntimePart::ended(const UserError& error)
{
    m_status->hide();
    m_banners->withdraw(BannerStack::Owner::Sandbox);
    m_clients->projects.checkRuntime();
    m_clients->project.checkSandbox();
    if (error.what.isEmpty()) {
        runNow();
        return;
    }
    std::vector<BannerAction> actions;
    if (m_waiting)
        actions = { { .text = tr("Run without it"), .run = [this] { runNow(); }, .isLink = true } };
    m_banners->withdraw(BannerStack::Owner::Waiting);
    sg::ui::tellError(m_parts, BannerStack::Owner::Action, error, std::move(actions));
}

QString RuntimePart::missingText() const
{
    const QStringList& modules = m_clients->project.info().sandbox.missingModules;
    return modules.size() == 1
        ? tr("its code imports %1").arg(modules.front())
        : tr("its code imports %1 and %2")
              .arg(modules.mid(0, modules.size() - 1).join(QStringLiteral(", ")), modules.back());
}

bool RuntimePart::tell(const SandboxInfo& found)
{
    if (found.missingModules.isEmpty())
        return false;
    if (m_clients->project.isPreparing()) { // the status bar says so
        m_banners->withdraw(BannerStack::Owner::Sandbox);
        return true;
    }
    m_banners->tell(BannerStack::Owner::Sandbox,
                    { .kind = Banner::Kind::Warning,
                      .text = tr("**The sandbox is not prepared:** %1. That takes about half a minute, once.")
                                  .arg(missingText()),
                      .isQuestion = true,
                      .actions = { { .text = tr("Prepare now"), .run = [this] { prepare(); } } } });
    return true;
}

bool RuntimePart::holdsBack(const std::function<void()>& run)
{
    if (m_clients->project.info().sandbox.missingModules.isEmpty())
        return false;
    m_waiting = run;
    tellWaiting();
    prepare();
    return true;
}

void RuntimePart::tellWaiting()
{
    m_banners->tell(
        BannerStack::Owner::Waiting,
        { .text = tr("**The run starts when the sandbox is prepared:** %1.").arg(missingText()),
          .isQuestion = true,
          .actions = { { .text = tr("Run now without it"), .run = [this] { runNow(); }, .isLink = true },
                       { .text = tr("Do not run"), .run = [this] { m_waiting = {}; }, .isLink = true } } });
}

void RuntimePart::runNow()
{
    const auto run = std::exchange(m_waiting, {});
    if (!run)
        return;
    m_banners->withdraw(BannerStack::Owner::Waiting);
    run();
}

} // namespace sg::ui
