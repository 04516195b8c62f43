#include "ui/shell/parts/failure_covers.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/logs/log_panel.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/shell/parts/artifacts_part.h"
#include "ui/timeline/overview/thread_overview.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/error_cover.h"

#include <functional>
#include <type_traits>

namespace sg::ui {

FailureCovers::FailureCovers(const WindowParts& parts, ThreadList& threads, ThreadOverview& overview,
                             LogPanel& log, ArtifactsPanel& made, ArtifactsPart& artifacts)
    : WindowPart(parts)
{
    const auto cover = [this](QWidget* panel, const QString& what, auto* client, auto failed, auto loaded,
                              const std::function<void()>& readAgain) {
        auto* covering = new ErrorCover(*panel);
        connect(covering, &ErrorCover::readAgain, this, readAgain);
        connect(client, loaded, covering, &QWidget::hide);
        connect(&m_clients->project, &OpenProject::closing, covering, &QWidget::hide);
        const auto show = [this, covering, what](const UserError& error) {
            covering->showError(what, error.what);
            showError(error);
        };
        if constexpr (std::is_invocable_v<decltype(failed), decltype(client), const UserError&>) {
            connect(client, failed, covering, show);
        } else {
            connect(client, failed, covering, [this, show](const QString& thread, const UserError& error) {
                if (thread == m_selection->thread())
                    show(error);
            });
            connect(m_selection, &Selection::threadChanged, covering, &QWidget::hide);
        }
    };
    HistoryClient* history = &m_clients->history;
    cover(&threads, tr("The threads cannot be read."), history, &HistoryClient::threadsFailed,
          &HistoryClient::threadsLoaded, [this] { m_clients->history.refreshThreads(); });
    cover(&overview, tr("The runs of all threads cannot be read."), history, &HistoryClient::overviewFailed,
          &HistoryClient::overviewLoaded, [this] { m_clients->history.loadOverview(); });
    cover(m_timeline, tr("The history of this thread cannot be read."), history,
          &HistoryClient::historyFailed, &HistoryClient::historyLoaded,
          [this] { m_clients->history.loadHistory(m_selection->thread()); });
    cover(&log, tr("The log of this thread cannot be read."), history, &HistoryClient::logFailed,
          &HistoryClient::logLoaded, [this] { m_clients->history.loadLog(m_selection->thread()); });
    cover(&made, tr("The artifacts cannot be listed."), &m_clients->artifacts,
          &ArtifactsClient::artifactsFailed, &ArtifactsClient::artifactsLoaded,
          [&artifacts] { artifacts.load(); });
}

} // namespace sg::ui
