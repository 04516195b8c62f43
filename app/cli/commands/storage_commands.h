#pragma once

namespace sg::cli {

struct Shell;
class Verb;

// Verbs for threads as files, and for a project's disk use.
void addBundle(Verb app, Shell& shell);
void addStorage(Verb app, Shell& shell);

} // namespace sg::cli
