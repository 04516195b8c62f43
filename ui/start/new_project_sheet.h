#pragma once

#include "ui/bridge/rows/project_rows.h"

#include <QPointer>
#include <QWidget>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace sg::ui {

class CardGrid;
class FilterEdit;
class InkLabel;
class TemplateCard;

// Asks for a new project over the window: its name, its place and what it begins with. It decides nothing:
// the place is checked and the project is made by whoever hears its signals. Tab stays inside while it is
// open, and the window's shortcuts do not act.
class NewProjectSheet : public QWidget {
    Q_OBJECT
public:
    explicit NewProjectSheet(QWidget* window);

    void open(const QString& parentFolder, const QString& templateId); // waits for its templates
    void setTemplates(const TemplateRows& rows);
    void setPlace(const NewPlaceRow& place); // of what was asked last
    void setError(const UserError& error); // it was not made
    void close(); // hides it, and gives the focus back
    [[nodiscard]] QString parentFolder() const; // of the place

Q_SIGNALS:
    void templatesWanted(const QString& parent, const QString& name);
    void placeTyped(const QString& name, const QString& folder);
    void createRequested(const QString& name, const QString& folder, const QString& templateId);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    QWidget* makeHead();
    QWidget* makeBody();
    QWidget* makeFoot();
    void lieOverWindow();
    void nameTyped(const QString& name);
    void askPlace();
    void chooseFolder();
    void filter(const QString& words);
    void showChosen();
    void showFoot();
    void create();
    [[nodiscard]] TemplateCard* chosen() const;

    QWidget* const m_window;
    QWidget* m_sheet; // the card in the middle
    QLineEdit* m_name;
    QLineEdit* m_place;
    InkLabel* m_placeNote;
    InkLabel* m_placeFault;
    FilterEdit* m_search;
    CardGrid* m_grid;
    QButtonGroup* m_cards;
    InkLabel* m_about;
    InkLabel* m_fault;
    QPushButton* m_create;
    QTimer* m_askSoon;
    QPointer<QWidget> m_before; // had the focus
    QString m_wantedTemplate;
    QString m_lastName; // that the place's last folder follows
    bool m_canStand = false;
    bool m_isBusy = false;
};

} // namespace sg::ui
