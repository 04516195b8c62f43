#include "ui/shell/main_window.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QSettings>
#include <QSocketNotifier>
#include <QTimer>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace {

int quitPipe[2] = { -1, -1 };

void onSignal(int)
{
    const char byte = 'q';
    [[maybe_unused]] const ssize_t written = ::write(quitPipe[1], &byte, 1);
}

// SIGTERM and SIGINT close the window as the user would: runs stop, sessions end, the layout is kept.
void quitOnSignal(QApplication& application)
{
    if (::pipe2(quitPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto* notifier = new QSocketNotifier(quitPipe[0], QSocketNotifier::Read, &application);
    QObject::connect(notifier, &QSocketNotifier::activated, &application,
                     [] { QApplication::closeAllWindows(); });
    std::signal(SIGTERM, onSignal);
    std::signal(SIGINT, onSignal);
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    QElapsedTimer sinceStart;
    sinceStart.start();
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("sandglass"));
    QApplication::setApplicationName(QStringLiteral("sandglass-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Sandglass"));
    QApplication::setApplicationVersion(QStringLiteral(SG_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.sandglass.Workbench"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Runs agent workflows in sandboxes and goes back to any step."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("PROJECT"), QStringLiteral("project folder or graph file"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light, dark or system"),
                                   QStringLiteral("name"));
    const QCommandLineOption sample(QStringLiteral("sample"), QStringLiteral("open the penguins sample"));
    const QCommandLineOption startup(QStringLiteral("print-startup"),
                                     QStringLiteral("print how long it took until the window took input"));
    parser.addOptions({ theme, sample, startup });
    parser.process(application);

    QApplication::setStyle(new sg::ui::Style);
    const QString chosen = parser.isSet(theme)
        ? parser.value(theme)
        : QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
    sg::ui::applyTheme(application, sg::ui::MainWindow::themeFromName(chosen));
    quitOnSignal(application);

    sg::ui::MainWindow window;
    if (parser.isSet(startup))
        QObject::connect(&window, &sg::ui::MainWindow::ready, &window, [&sinceStart] {
            QTimer::singleShot(0, [&sinceStart] {
                std::printf("usable after %lld ms\n", static_cast<long long>(sinceStart.elapsed()));
                std::fflush(stdout);
            });
        });
    window.show();
    if (parser.isSet(sample))
        window.openSample();
    else if (!parser.positionalArguments().isEmpty())
        window.openProject(parser.positionalArguments().constFirst());
    else
        QTimer::singleShot(0, &window, &sg::ui::MainWindow::ready);
    return QApplication::exec();
}
