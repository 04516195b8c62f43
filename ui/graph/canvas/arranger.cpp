#include "ui/graph/canvas/arranger.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/layout/dot_layout.h"

#include <QProcess>
#include <QStandardPaths>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kTooLongMs = 5000;
constexpr int kKilledMs = 1000; // limit of the wait for a killed process; most end at once
constexpr qint64 kMostOutput = 64 << 20;

} // namespace

Arranger::Arranger(QObject* parent)
    : QObject(parent)
    , m_program(QStandardPaths::findExecutable(QStringLiteral("dot")))
    , m_own(this)
{
    m_tooLong.setSingleShot(true);
    m_tooLong.setInterval(kTooLongMs);
    connect(&m_tooLong, &QTimer::timeout, this, [this] { takeOutput(false); });
}

Arranger::~Arranger()
{
    stopProgram();
    for (auto* killed : findChildren<QProcess*>())
        killed->waitForFinished(kKilledMs);
}

void Arranger::start(const GraphDrawing& drawing, const std::vector<std::optional<LayoutPoint>>& pinned,
                     const Done& done)
{
    stopProgram();
    m_own.cancel();
    m_drawing = drawing;
    m_pinned = pinned;
    m_done = done;
    m_labelWidths.clear();
    for (const DrawnEdge& edge : drawing.edges) // fonts may only be measured on the GUI thread
        m_labelWidths.push_back(edge.label.empty() ? 0 : labelPillWidth(edge.label));
    if (m_program.isEmpty())
        layOutHere();
    else
        startProgram();
}

void Arranger::startProgram()
{
    m_process = new QProcess(this);
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::errorOccurred, this, [this] { takeOutput(false); });
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        takeOutput(code == 0 && status == QProcess::NormalExit);
    });
    connect(m_process, &QProcess::started, this, [this] {
        m_process->write(QByteArray::fromStdString(dotInput(m_drawing, m_labelWidths)));
        m_process->closeWriteChannel();
    });
    m_tooLong.start();
    m_process->start(m_program, { QStringLiteral("-Tplain") });
}

void Arranger::stopProgram()
{
    m_tooLong.stop();
    if (!m_process)
        return;
    m_process->disconnect(this);
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    const bool isGone = m_process->state() == QProcess::NotRunning;
    m_process->kill();
    if (isGone)
        m_process->deleteLater();
    m_process = nullptr;
}

void Arranger::takeOutput(bool isWhole)
{
    if (!m_process)
        return;
    QByteArray output;
    if (isWhole)
        output = m_process->read(kMostOutput);
    stopProgram();
    auto places = dotPlaces(std::string_view(output.constData(), static_cast<std::size_t>(output.size())),
                            m_drawing.nodes.size());
    if (places)
        finish(std::move(*places));
    else
        layOutHere();
}

void Arranger::layOutHere()
{
    m_own.start([drawing = m_drawing, widths = m_labelWidths](
                    const CancelFlag&) { return layOutDrawing(drawing, widths).centres; },
                [this](Places places) { finish(std::move(places)); });
}

void Arranger::finish(Places places)
{
    keepPinned(m_drawing, m_pinned, places);
    if (const Done done = std::exchange(m_done, {}))
        done(places);
}

} // namespace sg::ui
