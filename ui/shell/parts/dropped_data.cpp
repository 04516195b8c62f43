#include "ui/shell/parts/dropped_data.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/code/code_files.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_choice.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/overlay.h"
#include "ui/world/files_panel.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

bool names(const std::string& word, const char* part)
{
    return word.find(part) != std::string::npos;
}

// "PENGUINS_CSV" of "2026/penguins.csv".
QString constantOf(const QString& path)
{
    QString name = QFileInfo(path).fileName().toUpper();
    name.replace(QRegularExpression(QStringLiteral("[^A-Z0-9]+")), QStringLiteral("_"));
    return name.isEmpty() || name.front().isDigit() ? QStringLiteral("DATA_") + name : name;
}

// The line after the last import at the top level, from 0.
int lineAfterImports(const QStringList& lines)
{
    int after = 0;
    static const QRegularExpression import(QStringLiteral("^(import|from) "));
    for (int i = 0; i < lines.size() && !lines[i].startsWith(QLatin1String("def ")); ++i)
        if (import.match(lines[i]).hasMatch())
            after = i + 1;
    return after;
}

void allowDataset(graph::Node& node, const std::string& name)
{
    const Value* before = node.settings.find("permissions");
    ValueMap permissions = before != nullptr && before->isMap() ? before->asMap() : ValueMap();
    ValueList datasets;
    if (const Value* allowed = permissions.find("datasets"); allowed != nullptr && allowed->isList())
        datasets = allowed->asList();
    if (std::ranges::find(datasets, Value(name)) == datasets.end())
        datasets.emplace_back(name);
    permissions.set("datasets", Value(std::move(datasets)));
    node.settings.set("permissions", Value(std::move(permissions)));
}

} // namespace

DroppedData::DroppedData(const WindowParts& parts, FilesPanel& files)
    : WindowPart(parts)
    , m_files(&files)
{
    connect(parts.canvas->view().editor(), &CanvasEditor::fileDropped, this, &DroppedData::ask,
            Qt::QueuedConnection); // the program that it comes from waits for the end of the drop
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this,
            [this](const std::vector<SessionRow>& sessions) { m_sessions = sessions; });
    const CodeFiles* code = &parts.canvas->code().files();
    connect(code, &CodeFiles::changed, this, [this, code](const QString& name) {
        if (m_later.contains(name) && code->state(name) == CodeFiles::State::Ready)
            writePath(name, m_later.take(name));
    });
    connect(&m_clients->world, &WorldClient::datasetAdded, this,
            [this](const QString& name, const UserError& error) {
                const auto use = std::exchange(m_use, nullptr);
                if (!error.what.isEmpty())
                    showError(error);
                else if (use)
                    use(name);
            });
}

void DroppedData::ask(const NodeId& node, const QString& file, const QPoint& at)
{
    auto* choice = new Overlay(&m_parts.canvas->view());
    choice->setObjectName(QStringLiteral("droppedData"));
    const QString title = tr("%1 on %2").arg(QFileInfo(file).fileName(), QString::fromStdString(node.value));
    choice->setAccessibleName(title);
    auto* column = new QVBoxLayout(choice);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(6);
    auto* head = new QLabel(title, choice);
    head->setTextFormat(Qt::PlainText);
    head->setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    column->addWidget(head);
    QPushButton* first = nullptr;
    const auto add = [&](const QString& words, const std::function<void()>& take) {
        auto* button = new QPushButton(QString(words).replace(QLatin1Char('&'), QLatin1String("&&")), choice);
        connect(button, &QPushButton::clicked, this, [choice, take] {
            choice->lift();
            choice->deleteLater();
            if (take)
                take();
        });
        column->addWidget(button);
        return button;
    };
    for (const Offer& offer : offers(node, file)) {
        const bool can = offer.whyNot.isEmpty();
        QPushButton* button =
            add(can ? offer.words : tr("%1 (%2)").arg(offer.words, offer.whyNot), offer.take);
        button->setEnabled(can);
        if (can && first == nullptr)
            first = button;
    }
    QPushButton* cancel = add(tr("Cancel"), {});
    connect(choice, &Overlay::dismissed, choice, &QObject::deleteLater);
    choice->adjustSize();
    choice->layOver(at);
    (first != nullptr ? first : cancel)->setFocus(Qt::PopupFocusReason);
}

std::vector<DroppedData::Offer> DroppedData::offers(const NodeId& node, const QString& file)
{
    std::vector<Offer> offers;
    GraphDocument& document = m_parts.canvas->document();
    const graph::Node* found = document.graph().findNode(node);
    if (found == nullptr)
        return offers;
    const auto edit = [&document, node](const QString& title,
                                        const std::function<void(graph::Node&)>& change) {
        document.edit(title, [&node, &change](graph::Graph& graph) {
            if (graph::Node* edited = nodeIn(graph, node))
                change(*edited);
        });
    };
    if (found->kind == graph::kAgentKind)
        offers.push_back({ tr("Allow the agent this dataset"), {}, [this, file, edit] {
                              withDataset(file, [edit](const QString& name) {
                                  edit(tr("Allow the dataset %1").arg(name), [&name](graph::Node& agent) {
                                      allowDataset(agent, name.toStdString());
                                  });
                              });
                          } });
    if (graph::fetchesData(*found))
        offers.push_back({ tr("Fetch this dataset"), {}, [this, file, edit] {
                              withDataset(file, [edit](const QString& name) {
                                  edit(tr("Fetch the dataset %1").arg(name), [&name](graph::Node& fetches) {
                                      fetches.settings.set("dataset", Value(name.toStdString()));
                                  });
                              });
                          } });
    if (const std::string* code = graph::codeFileOf(*found); code != nullptr && code->ends_with(".py"))
        offers.push_back(pathInCode(node, QString::fromStdString(*code), file));
    offers.push_back({ tr("Copy it into the session, as /session/%1").arg(QFileInfo(file).fileName()),
                       hasLiveSession() ? QString() : tr("no session runs"), [this, file] {
                           m_docks->raise(m_files);
                           m_clients->world.putFiles(m_selection->thread(), {}, { file }, {});
                       } });
    return offers;
}

DroppedData::Offer DroppedData::pathInCode(const NodeId&, const QString& codeFile, const QString& file)
{
    const QString folder = folderOfData();
    return { tr("Write its path into %1").arg(codeFile),
             folder.isEmpty() ? tr("the mode reads no local data") : QString(),
             [this, codeFile, file, folder] {
                 withDataset(file, [this, codeFile, folder](const QString& name) {
                     writePath(codeFile, folder + QLatin1Char('/') + name);
                 });
             } };
}

// Writes the path as a constant below the imports, where it is seen and can be renamed.
void DroppedData::writePath(const QString& codeFile, const QString& path)
{
    CodeFiles& files = m_parts.canvas->code().files();
    CodeView* view = files.open(codeFile);
    if (view != nullptr && files.state(codeFile) == CodeFiles::State::Reading) {
        m_later.insert(codeFile, path);
        return;
    }
    if (view == nullptr || files.state(codeFile) != CodeFiles::State::Ready) {
        showError({ tr("Nothing is written into %1 while it cannot be edited.").arg(codeFile), {} });
        return;
    }
    QStringList lines = view->text().split(QLatin1Char('\n'));
    const QString line = QStringLiteral("%1 = \"%2\"").arg(constantOf(path), path);
    if (lines.contains(line))
        return;
    const int at = lineAfterImports(lines);
    if (at > 0 && at < lines.size() && !lines[at].isEmpty())
        lines.insert(at, QString());
    lines.insert(at > 0 ? std::min<qsizetype>(at + 1, lines.size()) : 0, line);
    view->replaceText(lines.join(QLatin1Char('\n')));
}

void DroppedData::withDataset(const QString& file, const std::function<void(const QString& name)>& use)
{
    m_use = use;
    m_clients->world.addDataset(file);
}

QString DroppedData::folderOfData() const
{
    const graph::SandboxSettings& sandbox = m_parts.canvas->document().whole().sandbox;
    const std::string datasets = sandbox.datasets.empty() ? sandbox.mode : sandbox.datasets;
    return names(datasets, "HYBRID") ? QStringLiteral("/heavy_data")
        : names(datasets, "LOCAL")   ? QStringLiteral("/data")
                                     : QString();
}

bool DroppedData::hasLiveSession() const
{
    return liveSessionOf(m_sessions, m_selection->thread()) != nullptr;
}

} // namespace sg::ui
