#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/open/project_access.h"
#include "ui/bridge/rows/answer.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace sg::ui {

// One subject's questions to the open project. GUI thread only; calls return at once, answers come as
// signals. Stale answers are dropped here alone: those to a project that was closed since, and those that
// Latest and Turns drop.
//
// `work` is called on a worker thread, with the workbench, with nothing, or (in Latest and Turns) with the
// workbench and a stop token; it must not touch the client. `apply` gets its result on the GUI thread. Only
// `work` may hold the workbench: its last owner may take long to end it, so that must never be the GUI
// thread.
class Client : public QObject {
protected:
    explicit Client(OpenProject& project)
        : m_project(project)
    {
    }

    [[nodiscard]] OpenProject& project() const { return m_project; }
    [[nodiscard]] ProjectAccess access() const { return ProjectAccess(m_project); }
    [[nodiscard]] bool isOpen() const { return m_project.isOpen(); }
    [[nodiscard]] QThreadPool& readers() const { return access().pools().readers; }
    [[nodiscard]] QThreadPool& slow() const { return access().pools().slow; }
    void fail(const UserError& error) { Q_EMIT m_project.queryFailed(error); }

    // Each question is answered unless closing() comes first. If no project is open, nothing is asked.
    template<typename Work, typename Apply>
    void ask(QThreadPool& pool, Work work, Apply apply)
    {
        askAlways(pool, std::move(work),
                  [this, asked = access().generation(), apply = std::move(apply)](auto&& result) mutable {
                      if (asked == access().generation())
                          apply(std::forward<decltype(result)>(result));
                  });
    }

    // Does the same, but the answer comes even if another project is open by then; for questions whose
    // answers are counted.
    template<typename Work, typename Apply>
    void askAlways(QThreadPool& pool, Work work, Apply apply)
    {
        if (isOpen())
            access().run(this, pool, withWorkbench(std::move(work)), std::move(apply));
    }

    // Does the same for cells and terminals, for which OpenProject::isAtRest() does not wait.
    template<typename Work, typename Apply>
    void askAside(QThreadPool& pool, Work work, Apply apply)
    {
        if (isOpen())
            access().run(this, pool, withWorkbench(std::move(work)), std::move(apply), 0);
    }

    // Asks even if no project is open.
    template<typename Work, typename Apply>
    void askOutside(QThreadPool& pool, Work work, Apply apply)
    {
        access().run(this, pool, std::move(work), std::move(apply));
    }

    // The newest question wins: an older one that still waits for a thread does not start, a running one can
    // see its stop token, and its answer is dropped.
    class Latest {
    public:
        explicit Latest(Client& client)
            : m_client(client)
        {
            connect(&client.m_project, &OpenProject::closing, &client, [this] { cancel(); });
        }
        ~Latest() { cancel(); }
        Latest(const Latest&) = delete;
        Latest& operator=(const Latest&) = delete;
        template<typename Work, typename Apply>
        void ask(QThreadPool& pool, Work work, Apply apply)
        {
            cancel();
            m_stop = std::stop_source();
            const std::stop_token stop = m_stop.get_token();
            m_client.ask(
                pool,
                [work = std::move(work), stop](workbench::Workbench& workbench) {
                    using Result = decltype(call(work, workbench, stop));
                    return stop.stop_requested() ? std::optional<Result>()
                                                 : std::optional<Result>(call(work, workbench, stop));
                },
                [stop, apply = std::move(apply)](auto&& answer) mutable {
                    if (answer && !stop.stop_requested())
                        apply(std::move(*answer));
                });
        }
        void cancel() { m_stop.request_stop(); }
        // Identifies the present question, for answers in pieces that each ask for the next.
        [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

    private:
        template<typename Work>
        static auto call(const Work& work, workbench::Workbench& workbench, const std::stop_token& stop)
        {
            if constexpr (std::is_invocable_v<const Work&, workbench::Workbench&, const std::stop_token&>)
                return work(workbench, stop);
            else if constexpr (std::is_invocable_v<const Work&, workbench::Workbench&>)
                return work(workbench);
            else
                return work();
        }
        Client& m_client;
        std::stop_source m_stop;
    };

    // One question at a time: the running one finishes, then the newest of those asked meanwhile starts. Only
    // the last answer counts.
    class Turns {
    public:
        explicit Turns(Client& client)
            : m_client(client)
        {
            connect(&client.m_project, &OpenProject::closing, &client, [this] {
                m_next = {};
                stop();
            });
        }
        ~Turns() { stop(); }
        Turns(const Turns&) = delete;
        Turns& operator=(const Turns&) = delete;
        template<typename Work, typename Apply>
        void ask(QThreadPool& pool, Work work, Apply apply)
        {
            if (!m_client.isOpen())
                return;
            if (m_isAsking) {
                m_next = [this, &pool, work, apply] { ask(pool, work, apply); };
                return;
            }
            m_isAsking = true;
            m_stop = std::stop_source();
            m_client.askAlways(
                pool,
                [work, stop = m_stop.get_token()](workbench::Workbench& workbench) {
                    return work(workbench, stop);
                },
                [this, asked = m_client.access().generation(), apply](const auto& result) {
                    m_isAsking = false;
                    if (const auto next = std::exchange(m_next, {}))
                        next();
                    else if (asked == m_client.access().generation())
                        apply(result);
                });
        }
        void stop() { m_stop.request_stop(); } // the running question, so that the next starts sooner

    private:
        Client& m_client;
        bool m_isAsking = false;
        std::function<void()> m_next;
        std::stop_source m_stop;
    };

private:
    template<typename Work>
    auto withWorkbench(Work work) const
    {
        // The work is destroyed before the workbench, because it may refer to it.
        return [workbench = access().workbench(), work = std::move(work)]() mutable {
            if constexpr (std::is_invocable_v<Work&, workbench::Workbench&>)
                return work(*workbench);
            else
                return work();
        };
    }

    OpenProject& m_project;
};

} // namespace sg::ui
