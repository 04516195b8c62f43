#pragma once

#include <QString>
#include <QStringList>

#include <vector>

// Rows for threads in files and for disk use.
namespace sg::ui {

struct ThreadBundle {
    QString thread;
    QString file;
    qint64 checkpoints = 0;
    qint64 artifacts = 0;
    bool isWritten = false;
    QStringList secrets; // possible secrets, one a line; if not written, a person must allow them
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
    std::vector<StorageRow> threads; // largest first, as all lists here
    std::vector<StorageRow> channels;
    std::vector<StorageRow> artifacts; // by thread
    std::vector<StorageRow> files; // the largest artifacts: "thread: path"
    std::vector<StorageRow> snapshots; // by thread
};

struct PruneWish {
    QString thread; // empty for all threads
    int keep = 10; // checkpoints to keep of each branch
    bool isDryRun = true;
    qint64 expected = -1; // result of the dry run; nothing is done if it differs now. -1 accepts any
};

struct PruneOutcome {
    PruneWish wish;
    qint64 checkpoints = 0; // of the threads themselves
    qint64 nested = 0; // of subgraphs' runs
    qint64 lostParents = 0;
    double bytesBefore = 0;
    double bytesAfter = 0;
    QStringList forks; // branches that lose their starting point: "alice, from step 12 to step 22"
    QStringList skipped;
};

} // namespace sg::ui
