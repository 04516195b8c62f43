#include "ui/jobs/latest_job.h"

#include <QCoreApplication>

namespace sg::ui {

namespace {
constexpr int kThreads = 4; // more than cores, because they mostly wait
}

QThreadPool& blockingPool()
{
    static QThreadPool* const pool = [] {
        auto* created = new QThreadPool(QCoreApplication::instance());
        created->setObjectName(QStringLiteral("blocking I/O"));
        created->setMaxThreadCount(kThreads);
        return created;
    }();
    return *pool;
}

} // namespace sg::ui
