#pragma once

#include "ui/bridge/rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// The session of the shown thread: what it is, its CPU, memory and processes over the last minutes.
class SessionPanel : public QWidget {
    Q_OBJECT
public:
    explicit SessionPanel(QWidget* parent = nullptr);

    void clear();
    void setMode(const QString& mode); // "Memory · Local data", for the empty state
    void setThread(const QString& thread);
    void setSessions(const std::vector<SessionRow>& sessions);
    void addSamples(const QString& session, const std::vector<SampleRow>& samples);

Q_SIGNALS:
    void stopRequested(const QString& session);

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
