#pragma once

#include <QObject>
#include <QString>

namespace sg::ui {

// Tells whether there is a session bus. Without an address of it Qt would start a bus of its own, and wait
// for it.
bool hasSessionBus();

// One message in the desktop's own way (org.freedesktop.Notifications on the session's bus); a later one
// takes its place. Nothing where there is no such bus or nobody answers on it. Returns at once.
class DesktopNotice : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotice(QObject* parent = nullptr);
    ~DesktopNotice() override;

    // Plain text, whatever stands in it. `action`: what a click does.
    void show(const QString& title, const QString& text, const QString& action = tr("Answer"));
    void withdraw();

Q_SIGNALS:
    void chosen(); // it was clicked

private Q_SLOTS:
    void takeAction(uint id, const QString& action);
    void takeClosed(uint id, uint reason);

private:
    [[nodiscard]] bool listen();
    void close(uint id);

    uint m_shown = 0; // its id; 0: none, or it has not come yet
    quint64 m_asked = 0; // messages until now
    quint64 m_withdrawn = 0; // of them, the last one that shall not stand any more
    bool m_isListening = false;
};

} // namespace sg::ui
