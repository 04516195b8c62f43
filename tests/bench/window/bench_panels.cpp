// bench-panels [log | meters | artifacts | csv | parquet | terminal | sessions] measures panels with very
// many lines, samples and files. Offscreen, without a GPU.

#include "tests/bench/figure_lines.h"
#include "tests/bench/window/live_sessions.h"
#include "tests/support/window_style.h"
#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_table.h"
#include "ui/artifacts/artifacts_panel.h"
#include "ui/artifacts/copy_names.h"
#include "ui/artifacts/drag_picture.h"
#include "ui/bridge/artifacts/file_mime.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/previews/csv_table.h"
#include "ui/bridge/previews/table_sandbox.h"
#include "ui/bridge/sessions/terminal_line.h"
#include "ui/logs/log_rows.h"
#include "ui/logs/log_view.h"
#include "ui/sessions/meters_view.h"
#include "ui/terminal/terminal_view.h"

#include <QFileInfo>
#include <QMouseEvent>
#include <QProcess>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTimer>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printFigure;
using bench::steady_clock;
using namespace ui;

constexpr int kLines = 1'000'000;
constexpr int kBatch = 2500; // what a flush brings at 50,000 a second

double timed(const std::function<void()>& work)
{
    const auto begin = steady_clock::now();
    work();
    return millisecondsSince(begin);
}

std::vector<LogRow> batch(int first)
{
    std::vector<LogRow> rows;
    rows.reserve(kBatch);
    for (int i = first; i < first + kBatch; ++i)
        rows.push_back({ 1'795'271'000'000.0 + i, i / 1000, QStringLiteral("node%1").arg(i % 7),
                         i % 11 == 0 ? LogRow::Stream::Err : LogRow::Stream::Out,
                         QStringLiteral("line %1 of what a node prints while it works, value %2")
                             .arg(i)
                             .arg(i * 7919 % 1'000'003),
                         LogRow::Source::Node, QStringLiteral("task%1").arg(i / 5000) });
    return rows;
}

void logOfAMillion()
{
    LogView view;
    view.resize(1100, 300);
    view.show();
    std::vector<double> frames;
    double ingest = 0;
    for (int first = 0; first < kLines; first += kBatch) {
        const std::vector<LogRow> rows = batch(first);
        const double taken = timed([&] { view.append(rows); });
        const double painted = timed([&] { view.grab(); });
        ingest += taken;
        frames.push_back(taken + painted);
    }
    printFigure("window.panels.log.ingest", kLines / ingest * 1000, "lines/s");
    printFigure("window.panels.log.batch", bench::quantile(frames, 0.95));
    const LogRows& rows = view.rows();
    printFigure("window.panels.log.find", timed([&] {
                    static_cast<void>(rows.find(LogPattern(QStringLiteral("line 999998 ")), 0, false));
                }));
    printFigure("window.panels.log.find_nothing", timed([&] {
                    static_cast<void>(rows.find(LogPattern(QStringLiteral("nowhere at all")), 0, false));
                }));
    view.setFollowing(false);
    printFigure("window.panels.log.filter_first", timed([&] {
                    view.setFilter(LogFilter::parse(QStringLiteral("/value [0-9]*77$/")));
                    view.grab();
                }));
    printFigure("window.panels.log.filter", timed([&] {
                    while (!view.rows().isScanned())
                        QCoreApplication::processEvents();
                }));
    view.setFilter({});
    printFigure("window.panels.log.fold", timed([&] {
                    view.setAllFolded(true);
                    while (!view.rows().isScanned())
                        QCoreApplication::processEvents();
                }));
}

void metersOfAnHour()
{
    std::vector<SampleRow> samples;
    for (int i = 0; i < 3600; ++i)
        samples.push_back({ 1'795'271'000'000.0 + i * 1000.0, double(i * 37 % 200),
                            double(i * 7919 % 900) * 1e6, 1e9, i % 40, 64, double(i) * 1e5, 1e9 });
    SampleHistory history;
    history.add(samples);
    std::vector<std::unique_ptr<MetersView>> views;
    for (int i = 0; i < 8; ++i) {
        views.push_back(std::make_unique<MetersView>());
        views.back()->resize(600, 300);
        views.back()->setSpan(3'600'000);
        views.back()->show(SessionRow(), history);
    }
    std::vector<double> frames;
    for (int i = 0; i < 240; ++i) {
        SampleRow next = samples[static_cast<std::size_t>(i)];
        next.timeMs = samples.back().timeMs + (i + 1) * 1000.0;
        history.add({ next });
        frames.push_back(timed([&] {
            for (const auto& view : views) {
                view->show(SessionRow(), history);
                QPixmap picture(view->size());
                view->render(&picture);
            }
        }));
    }
    printFigure("window.panels.meters.sample", bench::quantile(frames, 0.95));
}

// From the press of the button until the drag is handed to the system, which here gives it up at once.
void dragOfFiveHundred(const ArtifactsPanel& panel, ArtifactList& list)
{
    const QPoint from = list.visualRect(list.model()->index(0, 0)).center();
    const auto send = [&list](QEvent::Type type, const QPoint& at) {
        QMouseEvent event(type, at, list.viewport()->mapToGlobal(at),
                          type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(list.viewport(), &event);
    };
    const QSignalSpy released(&panel, &ArtifactsPanel::stagedReleased);
    const double taken = timed([&] {
        send(QEvent::MouseButtonPress, from);
        for (int step = 1; step <= 8; ++step)
            send(QEvent::MouseMove, from + QPoint(step * 8, step * 4));
    });
    if (released.isEmpty())
        bench::printFailed("window.panels.artifacts.drag", "no drag began");
    else
        printFigure("window.panels.artifacts.drag", taken);
}

void tenThousandArtifacts()
{
    std::vector<ArtifactRow> rows;
    for (int i = 0; i < 10'000; ++i) {
        ArtifactRow row;
        row.id = QStringLiteral("art_%1").arg(i);
        row.name = row.path = QStringLiteral("file %1.png").arg(i);
        row.mime = QStringLiteral("image/png");
        row.size = 1000 + i;
        row.node = QStringLiteral("write");
        rows.push_back(row);
    }
    ArtifactsPanel panel;
    panel.resize(1000, 400);
    panel.show();
    printFigure("window.panels.artifacts.list", timed([&] {
                    panel.setArtifacts(rows);
                    panel.grab();
                }));
    auto* list = panel.findChild<ArtifactList*>();
    printFigure("window.panels.artifacts.cards", timed([&] {
                    list->setCards(true);
                    panel.grab();
                }));
    list->selectAll();
    printFigure("window.panels.artifacts.select", timed([&] { static_cast<void>(list->selectedRows()); }));
    list->selectionModel()->select(QItemSelection(list->model()->index(0, 0), list->model()->index(499, 0)),
                                   QItemSelectionModel::ClearAndSelect);
    list->setCopyNames(QLatin1String(kThreadStepName));
    printFigure("window.panels.artifacts.drag_offer", timed([&] {
                    const std::vector<ArtifactRow> chosen = list->rowsToCopy();
                    const FileMime offered(std::make_shared<StagedFiles>(), chosen);
                    static_cast<void>(dragPicture(chosen, {}, 1));
                }));
    auto* table = panel.findChild<ArtifactTable*>();
    auto* looks = panel.findChild<QStackedWidget*>(QStringLiteral("artifactLooks"));
    looks->setCurrentWidget(table);
    printFigure("window.panels.artifacts.sort", timed([&] {
                    Q_EMIT table->orderRequested({ ArtifactModel::SizeColumn, true });
                    panel.grab();
                }));
    looks->setCurrentWidget(list);
    list->setCards(false);
    list->scrollToTop();
    list->selectionModel()->select(QItemSelection(list->model()->index(0, 0), list->model()->index(499, 0)),
                                   QItemSelectionModel::ClearAndSelect);
    dragOfFiveHundred(panel, *list);
}

void tableOfTenMillion()
{
    std::string content = "id,name,value\n";
    content.reserve(260'000'000);
    for (int i = 0; i < 10'000'000; ++i)
        content += std::to_string(i) + ",row,0.5\n";
    CsvTable table;
    ArtifactPreview page;
    printFigure("window.panels.csv.first", timed([&] { table.readPage(content, 0, page); }));
    ArtifactPreview last;
    printFigure("window.panels.csv.last", timed([&] { table.readPage(content, 9'999'999, last); }));
    ArtifactPreview sorted;
    printFigure("window.panels.csv.sort", timed([&] { table.readSorted(content, 0, { 0, true }, sorted); }));
    printFigure("window.panels.csv.facts", timed([&] { static_cast<void>(table.facts(content, 1)); }));
}

// A shell that prints as fast as it is read: how long the window's other events wait.
void terminalOfYes()
{
    TerminalView view;
    view.resize(1000, 400);
    view.show();
    const std::shared_ptr<TerminalLine> line =
        TerminalLine::make({ view.grid().height(), view.grid().width() });
    view.attach(line);
    std::atomic<qint64> printed = 0;
    std::jthread shell([line, &printed] {
        const QByteArray chunk = QByteArray("y\n").repeated(8192);
        while (line->print(chunk))
            printed += chunk.size();
    });
    std::vector<double> turns;
    QTimer frame;
    frame.setInterval(16);
    auto last = steady_clock::now();
    QObject::connect(&frame, &QTimer::timeout, [&] {
        turns.push_back(millisecondsSince(last));
        last = steady_clock::now();
    });
    frame.start();
    const auto begin = steady_clock::now();
    while (millisecondsSince(begin) < 5000)
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    line->close();
    printFigure("window.panels.terminal.frame", bench::quantile(turns, 0.95));
    printFigure("window.panels.terminal.rate", static_cast<double>(printed) / 5e6, "MB/s");
}

// A file of ten million rows, written by the sandboxes' own Python; false: it cannot.
bool writeParquet(const config::RuntimePaths& runtime, const QString& path, int seed)
{
    const QString code = QStringLiteral("import sys, pyarrow as pa, pyarrow.parquet as pq, numpy as np\n"
                                        "n = 10_000_000\n"
                                        "pq.write_table(pa.table({'id': np.arange(n), "
                                        "'value': np.arange(n) * 0.5 + int(sys.argv[2]), "
                                        "'kind': pa.array(np.arange(n) % 7)}), sys.argv[1])\n");
    QProcess python;
    python.start(QString::fromStdString((runtime.python / "bin" / "python3").string()),
                 { QStringLiteral("-c"), code, path, QString::number(seed) });
    return python.waitForFinished(300'000) && python.exitCode() == 0;
}

ArtifactRow artifactAt(const QString& path)
{
    ArtifactRow row;
    row.id = row.sha256 = QFileInfo(path).baseName();
    row.name = QFileInfo(path).fileName();
    row.blob = path;
    row.size = QFileInfo(path).size();
    return row;
}

void tableInTheSandbox()
{
    const QTemporaryDir folder;
    QFile graph(folder.filePath(QStringLiteral("t.graph.json")));
    static_cast<void>(graph.open(QIODevice::WriteOnly));
    graph.write("{\"format\":1,\"name\":\"t\",\"state\":{},\"nodes\":[],\"edges\":[]}");
    graph.close();
    auto opened = openWorkbench(folder.path());
    const config::RuntimePaths runtime = config::locateRuntime();
    const QString first = folder.filePath(QStringLiteral("first.parquet"));
    const QString second = folder.filePath(QStringLiteral("second.parquet"));
    if (!opened.value || !config::missingPackages(runtime).empty() || !writeParquet(runtime, first, 1)
        || !writeParquet(runtime, second, 2)) {
        bench::printNotMeasured("window.panels.parquet", "no sandbox's Python with pyarrow is here");
        return;
    }
    TableSandbox tables(*opened.value);
    ArtifactPreview page;
    const double cold = timed([&] { page = tables.page(artifactAt(first), 0); });
    if (page.kind != ArtifactPreview::Kind::Table) {
        bench::printFailed("window.panels.parquet", page.note.toStdString());
        return;
    }
    printFigure("window.panels.parquet.first_cold", cold);
    printFigure("window.panels.parquet.first", timed([&] { page = tables.page(artifactAt(second), 0); }));
    printFigure("window.panels.parquet.middle",
                timed([&] { page = tables.page(artifactAt(second), 5'000'000); }));
    printFigure("window.panels.parquet.sort", timed([&] {
                    page = tables.page(artifactAt(second), 0, { 1, true });
                }));
    printFigure("window.panels.parquet.sorted_page", timed([&] {
                    page = tables.page(artifactAt(second), 5'000, { 1, true });
                }));
    ColumnFacts facts;
    printFigure("window.panels.parquet.facts", timed([&] { facts = tables.facts(artifactAt(second), 1); }));
    if (page.kind != ArtifactPreview::Kind::Table || page.rows.empty() || facts.bars.empty())
        bench::printFailed("window.panels.parquet", (page.note + facts.problem).toStdString());
}

} // namespace
} // namespace sg

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QApplication application(argc, argv);
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    const std::pair<const char*, void (*)()> parts[] = { { "log", sg::logOfAMillion },
                                                         { "meters", sg::metersOfAnHour },
                                                         { "artifacts", sg::tenThousandArtifacts },
                                                         { "csv", sg::tableOfTenMillion },
                                                         { "parquet", sg::tableInTheSandbox },
                                                         { "terminal", sg::terminalOfYes },
                                                         { "sessions", sg::bench::measureLiveSessions } };
    for (const auto& [name, measure] : parts)
        if (argc < 2 || std::strcmp(argv[1], name) == 0)
            measure();
    return 0;
}
