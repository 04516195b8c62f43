#pragma once

#include "ui/bridge/rows/code_file_row.h"
#include "ui/code/completion.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>

namespace sg::ui {

class CodeView;

// The code files that are open, each in a view of its own: what stands on the disk, what was typed, and what
// happens where both changed. Asks for reading and writing by signals; never writes over what it did not
// read.
class CodeFiles : public QObject {
    Q_OBJECT
public:
    explicit CodeFiles(QWidget* place, QObject* parent = nullptr); // views are children of `place`

    enum class State {
        Reading,
        Ready,
        Recoverable, // a crash left edits
        Conflicted, // edited here and by another program
        Refused, // no text, or not to be read
    };
    CodeView* open(const QString& name); // read on first use
    void closeAll(); // another project
    void closeUnused(const QString& shown); // files that are not there and that nobody wrote

    [[nodiscard]] State state(const QString& name) const;
    [[nodiscard]] UserError fault(const QString& name) const; // of Refused
    [[nodiscard]] bool isNew(const QString& name) const; // there is no such file yet
    [[nodiscard]] bool isModified(const QString& name) const;
    [[nodiscard]] bool isModified() const; // any

    void take(const CodeFileRow& file); // as it was read, first or again
    void noteSaved(const QString& name, const QString& text, const UserError& error, bool conflict);
    void save(); // all that are modified; saved() or failed() follows
    void keepMine(const QString& name); // of a conflict: written over the other program's
    void takeTheirs(const QString& name);
    void recover(const QString& name);
    void forget(const QString& name); // the draft, and what is unsaved
    void discard(); // all that is unsaved, drafts too; the views keep it
    void setReadOnly(bool readOnly);
    void setWords(const CompletionWords& words);

Q_SIGNALS:
    void readRequested(const QString& name);
    void saveRequested(const QString& name, const QString& text, const std::optional<QString>& expected);
    void keepRequested(const QString& name, const QString& text); // empty: nothing is unsaved
    void changed(const QString& name); // its state, or whether it is modified
    void edited(const QString& name);
    void saved();
    void failed(const sg::ui::UserError& error);

private:
    struct File {
        CodeView* view = nullptr;
        State state = State::Reading;
        std::optional<QString> onDisk; // none: there is no file
        std::optional<QString> theirs; // of a conflict
        QString draft;
        UserError fault;
        bool isSaving = false;
        bool isKept = false; // a draft is on the disk
    };
    [[nodiscard]] const File* fileOf(const QString& name) const;
    void keepDrafts();
    void endSave();

    QWidget* m_place;
    std::map<QString, File> m_files;
    CompletionWords m_words;
    bool m_readOnly = false;
    int m_saving = 0; // writes that were asked for
    UserError m_saveFault;
    QTimer m_keepSoon;
};

} // namespace sg::ui
