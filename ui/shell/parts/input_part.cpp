#include "ui/shell/parts/input_part.h"

#include "ui/bridge/clients.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"

namespace sg::ui {

InputPart::InputPart(const WindowParts& parts, CanvasPanel& canvas, RunBar& bar)
    : WindowPart(parts)
    , m_canvas(&canvas)
    , m_bar(&bar)
{
    connect(&m_clients->editing, &EditingClient::graphChecked, this, &InputPart::showFields);
    connect(&m_clients->project, &OpenProject::opened, this, &InputPart::showFields, Qt::QueuedConnection);
    connect(m_selection, &Selection::threadChanged, this, &InputPart::loadLast);
    connect(&m_clients->runs, &RunsClient::runFinished, this, &InputPart::loadLast);
    connect(&m_clients->history, &HistoryClient::inputsLoaded, this,
            [this](const QString& thread, const std::vector<LastInputRow>& inputs) {
                if (thread == m_selection->thread())
                    m_bar->setLastInputs(inputs);
            });
}

void InputPart::showFields()
{
    m_bar->setInputFields(inputFieldRows(m_canvas->document().whole()));
}

void InputPart::loadLast()
{
    m_bar->setLastInputs({});
    if (!m_selection->thread().isEmpty())
        m_clients->history.loadInputs(m_selection->thread());
}

} // namespace sg::ui
