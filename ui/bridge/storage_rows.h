#pragma once

#include <QString>
#include <QStringList>

#include <vector>

// What threads take along as files, and what a project takes on the disk.
namespace sg::ui {

struct ThreadBundle {
    QString thread;
    QString file;
    qint64 checkpoints = 0;
    qint64 artifacts = 0;
    bool isWritten = false;
    QStringList secrets; // a line each: where, what, in part. Not empty and not written: a person must look
};

struct StorageRow {
    QString name;
    double bytes = 0;
    qint64 count = 0;
};

struct StorageView {
    double databaseBytes = 0;
    double artifactBytes = 0;
    double snapshotBytes = 0;
    double sessionBytes = 0;
    std::vector<StorageRow> threads; // largest first, as the others
    std::vector<StorageRow> channels;
    std::vector<StorageRow> artifacts; // by thread
    std::vector<StorageRow> snapshots; // by thread
};

struct PruneWish {
    QString thread; // empty: every thread
    int keep = 10; // checkpoints of each branch
    bool isDryRun = true;
};

struct PruneOutcome {
    PruneWish wish;
    qint64 checkpoints = 0;
    qint64 lostParents = 0;
    double bytesBefore = 0;
    double bytesAfter = 0;
    QStringList skipped;
};

} // namespace sg::ui
