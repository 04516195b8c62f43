#pragma once

#include "ui/bridge/rows/code_file_row.h"
#include "ui/code/completion.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <map>
#include <optional>
#include <vector>

namespace sg::ui {

class CodeView;
struct CodeMark;

// The open code files, each in a view of its own: the text on disk, the typed text, and what to do if both
// changed. Signals ask for reading and writing; a text that was not read is never overwritten.
class CodeFiles : public QObject {
    Q_OBJECT
public:
    explicit CodeFiles(QWidget* place, QObject* parent = nullptr); // `place` becomes the parent of the views

    enum class State {
        Reading,
        Ready,
        Recoverable, // a crash left a draft
        Conflicted, // changed both here and by another program
        Refused, // not a text, or not readable
    };
    CodeView* open(const QString& name); // reads the file on first use
    CodeView* openBeside(const QString& name, QWidget* parent); // another view of the same text
    [[nodiscard]] QStringList names() const; // of the open files
    void closeAll(); // for another project
    void closeUnused(const QString& shown); // those that do not exist, are unmodified and not shown

    [[nodiscard]] State state(const QString& name) const;
    [[nodiscard]] UserError fault(const QString& name) const; // for State::Refused
    [[nodiscard]] bool isNew(const QString& name) const; // whether the file does not exist yet
    [[nodiscard]] bool isModified(const QString& name) const;
    [[nodiscard]] bool isModified() const; // any file

    void take(const CodeFileRow& file); // the file as it was read, for the first time or again
    void noteSaved(const QString& name, const QString& text, const UserError& error, bool conflict);
    void save(); // all modified files; saved() or failed() follows
    void keepMine(const QString& name); // resolves a conflict by overwriting the other program's text
    void takeTheirs(const QString& name);
    void recover(const QString& name);
    void forget(const QString& name); // drops the draft and unsaved changes
    void discard(); // drops drafts and unsaved changes of all files; the views keep their texts
    void setReadOnly(bool readOnly);
    void setWords(const CompletionWords& words);

Q_SIGNALS:
    void readRequested(const QString& name);
    void saveRequested(const QString& name, const QString& text, const std::optional<QString>& expected);
    void keepRequested(const QString& name, const QString& text); // an empty text removes the draft
    void changed(const QString& name); // its state or isModified()
    void edited(const QString& name);
    void verbChosen(const QString& name, const sg::ui::CodeMark& mark, int verb);
    void saved();
    void failed(const sg::ui::UserError& error);

private:
    struct File {
        CodeView* view = nullptr;
        State state = State::Reading;
        std::optional<QString> onDisk; // empty if there is no file
        std::optional<QString> theirs; // the other program's text in a conflict
        QString draft;
        UserError fault;
        bool isSaving = false;
        bool isKept = false; // a draft is stored
        std::vector<QPointer<CodeView>> beside; // other views of the text
    };
    [[nodiscard]] const File* fileOf(const QString& name) const;
    static bool isShownBeside(const File& file);
    void keepDrafts();
    void endSave();

    QWidget* m_place;
    std::map<QString, File> m_files;
    CompletionWords m_words;
    bool m_readOnly = false;
    int m_saving = 0; // number of writes under way
    UserError m_saveFault;
    QTimer m_keepSoon;
};

} // namespace sg::ui
