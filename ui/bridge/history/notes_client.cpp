#include "ui/bridge/history/notes_client.h"

#include "core/projects/project_notes.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <string>
#include <utility>

namespace sg::ui {
namespace {

using Notes = Answer<NoteRows>;

Notes notesOf(Result<projects::NotesByThread> notes)
{
    if (!notes)
        return { {}, userError(notes.error()) };
    return { noteRows(*notes), {} };
}

} // namespace

NotesClient::NotesClient(OpenProject& project)
    : Client(project)
{
    connect(&project, &OpenProject::opened, this, &NotesClient::load);
}

template<typename Change>
void NotesClient::change(Change change)
{
    if (!isOpen())
        return;
    ask(
        access().pools().keeping,
        [notes = access().notes(), change = std::move(change)] { return notesOf(change(*notes)); },
        [this](const Notes& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT loaded(answer.value);
            else
                fail(answer.error);
        });
}

void NotesClient::load()
{
    change([](projects::ProjectNotes& notes) { return notes.read(); });
}

void NotesClient::setLabel(const QString& thread, const QString& label)
{
    change([id = ThreadId(utf8(thread)), words = utf8(label)](projects::ProjectNotes& notes) {
        return notes.setLabel(id, words);
    });
}

void NotesClient::setBookmark(const QString& thread, const QString& checkpoint,
                              const std::optional<QString>& note)
{
    std::optional<std::string> words;
    if (note)
        words = utf8(*note);
    change([id = ThreadId(utf8(thread)), at = CheckpointId(utf8(checkpoint)), words = std::move(words)](
               projects::ProjectNotes& notes) { return notes.setBookmark(id, at, words); });
}

} // namespace sg::ui
