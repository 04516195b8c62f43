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
    friend bool operator==(const StorageRow&, const StorageRow&) = default;
};

struct StorageView {
    double databaseBytes = 0;
    double artifactBytes = 0;
    double snapshotBytes = 0;
    double sessionBytes = 0;
    std::vector<StorageRow> threads; // largest first, as the others
    std::vector<StorageRow> channels;
    std::vector<StorageRow> artifacts; // by thread
    std::vector<StorageRow> files; // the largest artifacts: "thread: path"
    std::vector<StorageRow> snapshots; // by thread
};

struct PruneWish {
    QString thread; // empty: every thread
    int keep = 10; // checkpoints of each branch
    bool isDryRun = true;
    qint64 expected = -1; // checkpoints that a dry run told of: else nothing is done; -1: any
};

struct PruneOutcome {
    PruneWish wish;
    qint64 checkpoints = 0; // of threads themselves
    qint64 nested = 0; // of the subgraphs that ran from them
    qint64 lostParents = 0;
    double bytesBefore = 0;
    double bytesAfter = 0;
    QStringList forks; // that lose what they hang from: "alice, from step 12 to step 22"
    QStringList skipped;
};

} // namespace sg::ui
