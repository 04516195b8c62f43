#include "ui/code/code_files.h"

#include "ui/code/code_view.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kKeepMs = 700; // a crash loses at most this much typing

} // namespace

CodeFiles::CodeFiles(QWidget* place, QObject* parent)
    : QObject(parent)
    , m_place(place)
{
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kKeepMs);
    connect(&m_keepSoon, &QTimer::timeout, this, &CodeFiles::keepDrafts);
}

CodeView* CodeFiles::open(const QString& name)
{
    File& file = m_files[name];
    if (file.view)
        return file.view;
    file.view = new CodeView(languageOfFile(name), m_place);
    file.view->setReadOnly(true); // until the file is read
    file.view->setWords(m_words);
    connect(file.view, &CodeView::textChanged, this, [this, name] {
        if (!m_keepSoon.isActive())
            m_keepSoon.start();
        Q_EMIT edited(name);
    });
    connect(file.view, &CodeView::modifiedChanged, this, [this, name] { Q_EMIT changed(name); });
    connect(file.view, &CodeView::verbChosen, this,
            [this, name](const CodeMark& mark, int verb) { Q_EMIT verbChosen(name, mark, verb); });
    Q_EMIT readRequested(name);
    return file.view;
}

CodeView* CodeFiles::openBeside(const QString& name, QWidget* parent)
{
    CodeView* owner = open(name);
    auto* view = new CodeView(owner->language(), parent);
    view->shareText(*owner);
    view->setWords(m_words);
    m_files[name].beside.emplace_back(view);
    return view;
}

QStringList CodeFiles::names() const
{
    QStringList all;
    for (const auto& [name, file] : m_files)
        all << name;
    return all;
}

bool CodeFiles::isShownBeside(const File& file)
{
    return std::ranges::any_of(file.beside, [](const QPointer<CodeView>& view) { return !view.isNull(); });
}

void CodeFiles::closeAll()
{
    m_keepSoon.stop();
    m_saving = 0;
    for (auto& [name, file] : m_files) {
        file.view->disconnect(this);
        file.view->deleteLater();
    }
    m_files.clear();
}

void CodeFiles::closeUnused(const QString& shown)
{
    for (auto file = m_files.begin(); file != m_files.end();) {
        const bool isUsed = file->first == shown || file->second.onDisk || file->second.view->isModified()
            || isShownBeside(file->second);
        if (!isUsed)
            file->second.view->deleteLater();
        file = isUsed ? std::next(file) : m_files.erase(file);
    }
}

const CodeFiles::File* CodeFiles::fileOf(const QString& name) const
{
    const auto file = m_files.find(name);
    return file == m_files.end() ? nullptr : &file->second;
}

CodeFiles::State CodeFiles::state(const QString& name) const
{
    const File* file = fileOf(name);
    return file ? file->state : State::Reading;
}

UserError CodeFiles::fault(const QString& name) const
{
    const File* file = fileOf(name);
    return file ? file->fault : UserError();
}

bool CodeFiles::isNew(const QString& name) const
{
    const File* file = fileOf(name);
    return file && file->state != State::Reading && file->state != State::Refused && !file->onDisk;
}

bool CodeFiles::isModified(const QString& name) const
{
    const File* file = fileOf(name);
    return file && file->view->isModified();
}

bool CodeFiles::isModified() const
{
    return std::ranges::any_of(m_files, [](const auto& file) { return file.second.view->isModified(); });
}

void CodeFiles::take(const CodeFileRow& row)
{
    const auto found = m_files.find(row.name);
    if (found == m_files.end())
        return; // closed meanwhile
    File& file = found->second;
    const bool isFirst = file.state == State::Reading || file.state == State::Refused;
    if (!row.error.what.isEmpty()) {
        if (isFirst) {
            file.state = State::Refused;
            file.fault = row.error;
        }
        Q_EMIT changed(row.name);
        return;
    }
    const std::optional<QString> there = row.exists ? std::optional(row.text) : std::nullopt;
    if (isFirst) {
        file.onDisk = there;
        file.view->setText(row.text);
        file.view->setReadOnly(m_readOnly);
        file.draft = row.draft;
        file.isKept = !row.draft.isEmpty();
        file.state = row.draft.isEmpty() || row.draft == row.text ? State::Ready : State::Recoverable;
    } else if (file.isSaving || there == file.onDisk) {
        return; // the text was written by this program
    } else if (!file.view->isModified() || file.view->text() == row.text) {
        file.onDisk = there;
        file.view->replaceText(row.text);
        file.view->setSaved();
        file.state = State::Ready;
    } else {
        file.theirs = there;
        file.state = State::Conflicted;
    }
    Q_EMIT changed(row.name);
}

void CodeFiles::save()
{
    m_saveFault = {};
    std::vector<std::pair<QString, File*>> modified;
    for (auto& [name, file] : m_files) {
        if (!file.view->isModified() || file.isSaving)
            continue;
        if (file.state == State::Conflicted) {
            Q_EMIT failed({ tr("%1 was changed by another program while it was edited here. Nothing was "
                               "written: choose which one stays.")
                                .arg(name),
                            {} });
            return;
        }
        modified.emplace_back(name, &file);
    }
    m_saving += static_cast<int>(modified.size());
    if (m_saving == 0)
        Q_EMIT saved();
    for (const auto& [name, file] : modified) {
        file->isSaving = true;
        Q_EMIT saveRequested(name, file->view->text(), file->onDisk);
    }
}

void CodeFiles::noteSaved(const QString& name, const QString& text, const UserError& error, bool conflict)
{
    const auto found = m_files.find(name);
    if (found == m_files.end() || !found->second.isSaving)
        return;
    File& file = found->second;
    file.isSaving = false;
    if (!error.what.isEmpty()) {
        m_saveFault = error;
        if (conflict)
            Q_EMIT readRequested(name); // reading the file again shows the conflict
    } else {
        file.onDisk = text;
        file.theirs.reset();
        file.state = State::Ready;
        file.isKept = false; // saving removed the draft
        if (file.view->text() == text)
            file.view->setSaved();
        else
            m_keepSoon.start(); // the user typed during the save
    }
    Q_EMIT changed(name);
    endSave();
}

void CodeFiles::endSave()
{
    if (--m_saving > 0)
        return;
    m_saving = 0;
    if (m_saveFault.what.isEmpty())
        Q_EMIT saved();
    else
        Q_EMIT failed(m_saveFault);
}

void CodeFiles::keepMine(const QString& name)
{
    File& file = m_files[name];
    file.onDisk = std::exchange(file.theirs, {});
    file.state = State::Ready;
    save();
}

void CodeFiles::takeTheirs(const QString& name)
{
    File& file = m_files[name];
    file.onDisk = std::exchange(file.theirs, {});
    file.state = State::Ready;
    file.view->replaceText(file.onDisk.value_or(QString())); // undo can restore the typed text
    file.view->setSaved();
    m_keepSoon.start();
    Q_EMIT changed(name);
}

void CodeFiles::recover(const QString& name)
{
    File& file = m_files[name];
    file.state = State::Ready;
    file.view->replaceText(std::exchange(file.draft, {}));
    m_keepSoon.start();
    Q_EMIT changed(name);
}

void CodeFiles::forget(const QString& name)
{
    File& file = m_files[name];
    file.state = State::Ready;
    file.draft.clear();
    file.isKept = false;
    Q_EMIT keepRequested(name, {});
    Q_EMIT changed(name);
}

void CodeFiles::discard()
{
    m_keepSoon.stop();
    for (auto& [name, file] : m_files)
        if (std::exchange(file.isKept, false) || file.view->isModified())
            Q_EMIT keepRequested(name, {});
}

void CodeFiles::keepDrafts()
{
    for (auto& [name, file] : m_files) {
        if (file.state == State::Recoverable)
            continue; // the user has not decided on the former draft yet
        const bool isModified = file.view->isModified();
        if (isModified || file.isKept)
            Q_EMIT keepRequested(name, isModified ? file.view->text() : QString());
        file.isKept = isModified;
    }
}

void CodeFiles::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    for (auto& [name, file] : m_files)
        file.view->setReadOnly(readOnly || file.state == State::Reading || file.state == State::Refused);
}

void CodeFiles::setWords(const CompletionWords& words)
{
    if (words == m_words)
        return;
    m_words = words;
    for (auto& [name, file] : m_files) {
        file.view->setWords(words);
        for (const QPointer<CodeView>& view : file.beside)
            if (view)
                view->setWords(words);
    }
}

} // namespace sg::ui
