#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace sg::ui {

// The field of a form that is being typed in. Most take what was typed once they are left: what is to see all
// of it, such as a save, asks for that first.
class PendingField : public QObject {
    Q_OBJECT
public:
    explicit PendingField(QWidget& window, const QWidget& forms); // `forms`: whose fields edit the graph

    [[nodiscard]] bool isPending() const; // the field may hold something that is not taken yet
    struct Refusal {
        QString field; // its title
        QString why; // empty: it took what was typed
    };
    // Takes what was typed, as if the field was left; it goes on being typed in.
    Refusal take();
    void passOver(); // what it refuses is not asked for again before it was edited

Q_SIGNALS:
    void changed(); // isPending()

private:
    void follow(QWidget* focused);

    QWidget& m_window;
    const QWidget& m_forms;
    QPointer<QWidget> m_field;
    QPointer<QWidget> m_passedOver;
    QMetaObject::Connection m_typing;
};

} // namespace sg::ui
