#include "ui/graph/edits/note_edits.h"

#include <algorithm>

namespace sg::ui {

std::size_t addNote(graph::Graph& graph, graph::Note note)
{
    auto at = graph.notes.end();
    if (note.frame)
        at = std::ranges::find(graph.notes, false, &graph::Note::frame);
    const auto added = graph.notes.insert(at, std::move(note)); // before begin(): insert() may reallocate
    return static_cast<std::size_t>(added - graph.notes.begin());
}

void removeNote(graph::Graph& graph, std::size_t note)
{
    if (note < graph.notes.size())
        graph.notes.erase(graph.notes.begin() + static_cast<std::ptrdiff_t>(note));
}

void setNoteText(graph::Graph& graph, std::size_t note, const std::string& text)
{
    if (note < graph.notes.size())
        graph.notes[note].text = text;
}

void moveNotes(graph::Graph& graph, const std::vector<std::pair<std::size_t, graph::Position>>& places)
{
    for (const auto& [note, place] : places)
        if (note < graph.notes.size())
            graph.notes[note].place = place;
}

void resizeNote(graph::Graph& graph, std::size_t note, const graph::Position& size)
{
    if (note < graph.notes.size())
        graph.notes[note].size = { std::max(size.x, kLeastNote), std::max(size.y, kLeastNote) };
}

} // namespace sg::ui
