#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <utility>
#include <vector>

// Edits of notes and frames, as functions on the value. Unknown indices are ignored.
namespace sg::ui {

inline constexpr double kNoteWidth = 200;
inline constexpr double kNoteHeight = 80;
inline constexpr double kLeastNote = 40; // of each side
inline constexpr double kFrameTitle = 28; // height of the title row, by which a frame is moved

std::size_t addNote(graph::Graph& graph, graph::Note note); // a frame is put below all notes
void removeNote(graph::Graph& graph, std::size_t note);
void setNoteText(graph::Graph& graph, std::size_t note, const std::string& text);
void moveNotes(graph::Graph& graph, const std::vector<std::pair<std::size_t, graph::Position>>& places);
void resizeNote(graph::Graph& graph, std::size_t note, const graph::Position& size);

} // namespace sg::ui
