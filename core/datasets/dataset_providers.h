#pragma once

#include "core/datasets/dataset_consent.h"
#include "core/datasets/dataset_source.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::datasets {

struct DatasetFolders {
    std::filesystem::path project;
    std::filesystem::path config; // project/datasets.json
    std::filesystem::path secrets; // project/.sandglass/secrets
    std::filesystem::path exports; // project/exports/modified_datasets
    std::filesystem::path consent; // of this user, see DatasetConsent
    SecretVariables variables{}; // nothing: no secret is taken from the environment
};

struct OfferedDataset {
    std::string id;
    std::string provider;
    std::string format;
    std::int64_t bytes = -1; // -1: not known before it is fetched
};

// The project's sources, read anew for each question, so that an edit counts at once. Any thread.
class DatasetProviders {
public:
    explicit DatasetProviders(DatasetFolders folders);

    [[nodiscard]] const DatasetFolders& folders() const { return m_folders; }
    [[nodiscard]] DatasetConsent consent() const { return { m_folders.consent, m_folders.project }; }
    // What folders hold and what the others say to have.
    [[nodiscard]] Result<std::vector<OfferedDataset>> offered() const;

    struct Fetched {
        std::string provider;
        std::string format;
        std::int64_t bytes = 0;
        std::filesystem::path path{}; // of fetchInto()
    };
    // From the first source that has it. `begin` is called once a source has it, with the file's name.
    Result<Fetched> fetch(const std::string& id,
                          const std::function<void(const std::string& fileName)>& begin,
                          const Sink& sink) const;

    // Into a folder of this machine, whole or not at all; over a file of that name.
    Result<Fetched> fetchInto(const std::filesystem::path& folder, const std::string& id,
                              const std::function<bool()>& goesOn,
                              const std::function<void(const DatasetSource&)>& usesSecret = {}) const;

private:
    Result<Fetched> fetchFrom(const DatasetSource& source, const std::string& id,
                              const std::function<void(const std::string&)>& begin, const Sink& sink) const;

    const DatasetFolders m_folders;
};

} // namespace sg::datasets
