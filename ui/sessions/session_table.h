#pragma once

#include "ui/sessions/sample_history.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QTableView>

#include <vector>

namespace sg::ui {

// Sessions with their newest sample. tick() counts down the times left.
class SessionTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        SessionColumn,
        ThreadColumn,
        StateColumn,
        IsolationColumn,
        MemoryColumn,
        CpuColumn,
        LeftColumn,
        WhereColumn,
        AgeColumn, // this and the next give way first: the session's own page says them, too
        LimitsColumn,
        ColumnCount
    };
    enum Role { IdRole = Qt::UserRole, StateKindRole, MemoryShareRole, WeakRole, QuietRole };
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void reset(const std::vector<SessionRow>& rows); // in place if the sessions are the same
    void setSample(const QString& session, const SampleRow& sample);
    void tick(double nowMs);
    [[nodiscard]] const std::vector<SessionRow>& rows() const { return m_rows; }
    [[nodiscard]] QModelIndex indexOf(const QString& session) const;

private:
    [[nodiscard]] QString text(const SessionRow& row, int column) const;
    [[nodiscard]] QString spoken(const SessionRow& row) const;
    [[nodiscard]] QString age(const SessionRow& row) const; // an ended session's lifetime
    [[nodiscard]] QString timeLeft(const SessionRow& row) const;

    std::vector<SessionRow> m_rows;
    QHash<QString, SampleRow> m_samples;
    double m_nowMs = 0;
};

class SessionTable : public QTableView {
    Q_OBJECT
public:
    explicit SessionTable(QWidget* parent = nullptr);
    [[nodiscard]] SessionTableModel& sessions() const { return *m_model; }
    [[nodiscard]] QString current() const; // empty if there is none
    void select(const QString& session);

Q_SIGNALS:
    void chosen(const QString& session);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    SessionTableModel* m_model;
    bool m_isFitting = false;
    bool m_isSetByHand = false; // a column was dragged: widths are the user's
};

} // namespace sg::ui
