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
    std::filesystem::path consent; // this user's, see DatasetConsent
    SecretVariables variables{}; // empty: no secret is taken from the environment
};

struct OfferedDataset {
    std::string id;
    std::string provider;
    std::string format;
    std::int64_t bytes = -1; // -1: unknown before it is fetched
};

// The project's sources. They are read again for each call, so that an edit takes effect at once. Any thread.
class DatasetProviders {
public:
    explicit DatasetProviders(DatasetFolders folders);

    [[nodiscard]] const DatasetFolders& folders() const { return m_folders; }
    [[nodiscard]] DatasetConsent consent() const { return { m_folders.consent, m_folders.project }; }
    // Returns what folders hold and what other sources list.
    [[nodiscard]] Result<std::vector<OfferedDataset>> offered() const;

    struct Fetched {
        std::string provider;
        std::string format;
        std::int64_t bytes = 0;
        std::filesystem::path path{}; // set by fetchInto()
    };
    // Fetches from the first source that has the dataset. `begin` gets the file's name once a source has it.
    Result<Fetched> fetch(const std::string& id,
                          const std::function<void(const std::string& fileName)>& begin,
                          const Sink& sink) const;

    // Fetches into a folder of this machine, completely or not at all; a file of that name is replaced.
    Result<Fetched> fetchInto(const std::filesystem::path& folder, const std::string& id,
                              const std::function<bool()>& goesOn,
                              const std::function<void(const DatasetSource&)>& usesSecret = {}) const;

private:
    Result<Fetched> fetchFrom(const DatasetSource& source, const std::string& id,
                              const std::function<void(const std::string&)>& begin, const Sink& sink) const;

    const DatasetFolders m_folders;
};

} // namespace sg::datasets
