// A second program for the window's tests: takes what is dropped on it and says what arrived, a line of JSON
// each. Files that it was given can be dragged from it.
//   drop_target X Y WIDTH HEIGHT [FILE…]

#include <QApplication>
#include <QCryptographicHash>
#include <QDrag>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>
#include <QWidget>

#include <cstdio>
#include <cstdlib>

namespace {

void say(const QJsonObject& line)
{
    std::puts(QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

class Target final : public QWidget {
public:
    explicit Target(const QStringList& files)
    {
        for (const QString& file : files)
            m_files << QUrl::fromLocalFile(file);
        setAcceptDrops(true);
        setWindowTitle(QStringLiteral("drop target"));
    }

protected:
    void mouseMoveEvent(QMouseEvent* event) override
    {
        if (m_files.isEmpty() || !event->buttons().testFlag(Qt::LeftButton))
            return;
        auto* drag = new QDrag(this);
        auto* offered = new QMimeData;
        offered->setUrls(m_files);
        drag->setMimeData(offered);
        say({ { QStringLiteral("dragged"), int(drag->exec(Qt::CopyAction | Qt::MoveAction)) } });
    }
    void dragEnterEvent(QDragEnterEvent* event) override
    {
        say({ { QStringLiteral("entered"), event->mimeData()->hasUrls() },
              { QStringLiteral("formats"), QJsonArray::fromStringList(event->mimeData()->formats()) },
              { QStringLiteral("actions"), int(event->possibleActions()) } });
        event->acceptProposedAction();
    }
    void dropEvent(QDropEvent* event) override
    {
        QJsonArray files;
        for (const QUrl& url : event->mimeData()->urls()) {
            QFile file(url.toLocalFile());
            QCryptographicHash hash(QCryptographicHash::Sha256);
            const bool isRead = file.open(QIODevice::ReadOnly) && hash.addData(&file);
            files.append(QJsonObject{ { QStringLiteral("name"), QFileInfo(file).fileName() },
                                      { QStringLiteral("sha256"),
                                        isRead ? QString::fromLatin1(hash.result().toHex()) : QString() } });
        }
        event->acceptProposedAction();
        say({ { QStringLiteral("dropped"), files }, { QStringLiteral("action"), int(event->dropAction()) } });
    }

private:
    QList<QUrl> m_files;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    Target target(application.arguments().mid(5));
    if (argc >= 5)
        target.setGeometry(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
    target.show();
    say({ { QStringLiteral("ready"), true } });
    return QApplication::exec();
}
