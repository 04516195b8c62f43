#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/value.h"

#include <optional>
#include <string>

namespace sg::nodes {

// KeptDisplays stores what one task shows (figures, HTML, SVG, tables by Jupyter's conventions) as small
// artifacts of that task. Nothing of it is executed. One owner, one thread.
class KeptDisplays {
public:
    static constexpr int kMost = 100; // of one task; what is shown beyond is told as text

    // `store` outlives this; null: nothing is kept.
    KeptDisplays(artifacts::ArtifactStore* store, artifacts::ArtifactOrigin origin);

    struct Shown {
        std::string text; // for the log: what it says of itself, empty for a picture
        std::string note; // "[figure 12 kB: plot-1.png]", or why it was not kept; empty: it is text alone
        std::optional<artifacts::Artifact> artifact;
    };
    // `bundle`: a map MIME type → text or bytes, from inside a sandbox.
    [[nodiscard]] Shown keep(const Value& bundle);

private:
    artifacts::ArtifactStore* const m_store;
    const artifacts::ArtifactOrigin m_origin;
    int m_count = 0;
    bool m_saidFull = false;
};

} // namespace sg::nodes
