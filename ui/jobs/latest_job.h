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

// Set by the GUI thread and read by the job, which may then stop, because nobody waits for its answer.
using CancelFlag = std::shared_ptr<const std::atomic_bool>;

// A pool for work that waits (files, databases, processes); Qt's global pool is for computing. It ends with
// the application object, which waits for its jobs.
QThreadPool& blockingPool();

// Runs a blocking query off the GUI thread and delivers only the newest answer. Starting again or destroying
// this object cancels the last query. `apply` runs on the thread of `context`, and never after `context` or
// this object is destroyed.
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
        // A watcher is used because QFuture::then(context, f) asserts in Qt 6.4 when the context is gone.
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
