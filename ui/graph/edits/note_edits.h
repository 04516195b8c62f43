#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <utility>
#include <vector>

// What a person writes on the canvas, as functions on the value. Indices that are not there are ignored.
namespace sg::ui {

inline constexpr double kNoteWidth = 200;
inline constexpr double kNoteHeight = 80;
inline constexpr double kLeastNote = 40; // a side
inline constexpr double kFrameTitle = 28; // height of a frame's title row: what it is held by

std::size_t addNote(graph::Graph& graph, graph::Note note); // a frame lies below all that is no frame
void removeNote(graph::Graph& graph, std::size_t note);
void setNoteText(graph::Graph& graph, std::size_t note, const std::string& text);
void moveNotes(graph::Graph& graph, const std::vector<std::pair<std::size_t, graph::Position>>& places);
void resizeNote(graph::Graph& graph, std::size_t note, const graph::Position& size);

} // namespace sg::ui
