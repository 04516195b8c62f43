#pragma once

#include "ui/widgets/banner.h"

#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>
#include <vector>

class QFrame;
class QPushButton;
class QVBoxLayout;

namespace sg::ui {

struct BannerAction {
    QString text;
    std::function<void()> run;
    bool isLink = false;
    bool withdraws = true; // the message goes before it runs
    QString key = {}; // "F5", shown beside the text
    bool isDefault = false; // the one that is expected
};

struct BannerMessage {
    Banner::Kind kind = Banner::Kind::Info;
    QString text; // with the markup of Banner
    QString toolTip = {};
    bool isQuestion = false; // only an answer or its owner removes it
    std::vector<BannerAction> actions = {};
};

// Messages of the window, shown over a view without moving it. Each message has an owner, and only the owner
// replaces or withdraws it. The most urgent one is shown in full, the others behind "2 more".
class BannerStack : public QWidget {
    Q_OBJECT
public:
    // The most urgent first.
    enum class Owner {
        Conflict,
        Recovery,
        Run,
        Waiting, // a run, for its sandbox
        Paused,
        Question,
        Action,
        Field,
        File,
        Sandbox,
        Connection,
        Sharing,
        Done
    };

    explicit BannerStack(QWidget* parent);
    void lieOver(QWidget* view); // along the upper edge of a view in the same window
    void lieBelow(QWidget* strip); // while that lies along the same edge
    void carry(QWidget* card); // a larger message of its own, below the others while it is not hidden

    void tell(Owner owner, BannerMessage message);
    void withdraw(Owner owner);
    void withdrawAll();
    [[nodiscard]] bool tells(Owner owner) const { return m_messages.contains(owner); }

Q_SIGNALS:
    void covers(QWidget* view, int pixels); // of its upper edge, not counting the opened list of others

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(Banner& banner, Owner owner, const BannerMessage& message);
    void showAll();
    void showOthers();
    void appear();
    void place();
    void tellCovered();

    std::map<Owner, BannerMessage> m_messages;
    Banner* m_banner; // shows the most urgent message
    QPushButton* m_more = nullptr; // button in m_banner
    QFrame* m_others;
    QVBoxLayout* m_rows;
    QWidget* m_card = nullptr;
    QPointer<QWidget> m_view;
    QPointer<QWidget> m_strip;
};

} // namespace sg::ui
