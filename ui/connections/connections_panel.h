#pragma once

#include "ui/bridge/rows/connection_rows.h"

#include <QPointer>
#include <QWidget>

#include <vector>

class QMessageBox;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class Banner;
class ConnectionForm;
class ConnectionModel;
class ConnectionsClient;
class ElidedLabel;
class EmptyState;
class InkLabel;
class RemoteModel;

// The services elsewhere on which sessions may run: whether each answers and how fast, what it can do, and
// which sandboxes of this user live there, with the time that they have left. Decides nothing: it asks its
// client, by signals.
class ConnectionsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ConnectionsPanel(ConnectionsClient& client, QWidget* parent = nullptr);
    explicit ConnectionsPanel(QWidget* parent = nullptr); // shows what it is given

    void setConnections(const std::vector<ConnectionRow>& rows, const UserError& error);
    void setHealth(const ConnectionHealth& health);
    void setSaved(const QString& name, const UserError& error);
    void setRemoved(const QString& name, const UserError& error);
    void setEnded(const QString& sandbox, const UserError& error);
    void add(); // opens the form

Q_SIGNALS:
    void loadRequested();
    void checkRequested(const QString& name);
    void saveRequested(const sg::ui::ConnectionRow& row);
    void removeRequested(const QString& name);
    void endRequested(const QString& connection, const QString& sandbox);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeFacts();
    QWidget* makeSandboxes();
    void checkAll();
    void check(const QString& name);
    void edit();
    void remove();
    void askToEnd(bool all);
    void showCounts();
    void showFacts();
    [[nodiscard]] const ConnectionRow* chosen() const; // null: none

    ConnectionModel* m_model;
    RemoteModel* m_remote;
    Banner* m_banner;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTableView* m_table;
    QTableView* m_sandboxes;
    ElidedLabel* m_counts = nullptr;
    QPushButton* m_checkAll = nullptr;
    InkLabel* m_facts = nullptr;
    QPushButton* m_check = nullptr;
    QPushButton* m_edit = nullptr;
    QPushButton* m_remove = nullptr;
    ElidedLabel* m_remoteCounts = nullptr;
    QPushButton* m_end = nullptr;
    QPushButton* m_endAll = nullptr;
    ConnectionForm* m_form;
    QPointer<QMessageBox> m_question;
    ConnectionRow m_removed; // to be brought back
};

} // namespace sg::ui
