// A second program for the window's tests: takes what is dropped on it and says what arrived, a line of JSON
// each.
//   drop_target X Y WIDTH HEIGHT

#include <QApplication>
#include <QCryptographicHash>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
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
    Target()
    {
        setAcceptDrops(true);
        setWindowTitle(QStringLiteral("drop target"));
    }

protected:
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
};

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    Target target;
    if (argc == 5)
        target.setGeometry(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
    target.show();
    say({ { QStringLiteral("ready"), true } });
    return QApplication::exec();
}
