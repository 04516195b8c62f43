#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>
#include <QtConcurrentRun>

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

namespace sg::ui {

// Set by the GUI thread, read by the job: an answer that nobody waits for may be given up.
using CancelFlag = std::shared_ptr<const std::atomic_bool>;

// For work that waits (files, databases, processes): never Qt's global pool, whose threads are for computing.
// Lives until the application object goes; it waits for its jobs then.
QThreadPool& blockingPool();

// Runs a blocking query off the GUI thread and delivers only the newest answer.
// Starting again, or destroying this, cancels the one before; `apply` runs on `context`'s thread and not
// after `context` or this is gone.
class LatestJob {
public:
    explicit LatestJob(QObject* context, QThreadPool& pool = blockingPool())
        : m_context(context)
        , m_pool(&pool)
    {
    }
    ~LatestJob() { cancel(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    template<typename Work, typename Apply>
    void start(Work work, Apply apply)
    {
        using Answer = std::invoke_result_t<Work, CancelFlag>;
        cancel();
        const auto cancelled = std::make_shared<std::atomic_bool>(false);
        m_cancelled = cancelled;
        // A watcher, not QFuture::then(context, f): Qt 6.4 asserts there once the context is gone.
        auto* watcher = new QFutureWatcher<Answer>(m_context);
        QObject::connect(watcher, &QFutureWatcherBase::finished, m_context,
                         [watcher, cancelled, apply = std::move(apply)]() mutable {
                             watcher->deleteLater();
                             if (!*cancelled)
                                 apply(watcher->future().takeResult());
                         });
        watcher->setFuture(QtConcurrent::run(
            m_pool, [work = std::move(work), cancelled] { return work(CancelFlag(cancelled)); }));
    }

    void cancel()
    {
        if (m_cancelled)
            *m_cancelled = true;
    }

private:
    QObject* m_context;
    QThreadPool* m_pool;
    std::shared_ptr<std::atomic_bool> m_cancelled;
};

} // namespace sg::ui
