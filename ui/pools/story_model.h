#pragma once

#include "ui/bridge/rows/pool_rows.h"

#include <QAbstractTableModel>

namespace sg::ui {

// The events of one job, oldest first.
class StoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, WhatColumn, ColumnCount };
    explicit StoryModel(QObject* parent = nullptr)
        : QAbstractTableModel(parent)
    {
    }

    void setStory(const JobStoryRow& story);
    [[nodiscard]] const JobStoryRow& story() const { return m_story; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    JobStoryRow m_story;
};

// A try of a job: who did it, from when to when, and how it ended.
struct JobTry {
    QString worker;
    int number = 0;
    double fromMs = kUnknown;
    double toMs = kUnknown; // not a number: it is under way
    std::optional<workers::StoryLine::Kind> end = {}; // nullopt: it is under way
    QString why;
};
std::vector<JobTry> triesOf(const JobStoryRow& story);

} // namespace sg::ui
