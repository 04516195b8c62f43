#pragma once

#include <vector>

namespace sg::ui {

double nowMs(); // as the times of rows are

// Moments → places along the timeline, from 0. Clock: one piece. Folded: gaps in which nothing ran shrink to
// a narrow fold. Pure; times are milliseconds since 1970.
class TimeScale {
public:
    struct Busy { // something ran, or a checkpoint was made (then from = to)
        double fromMs = 0;
        double toMs = 0;
    };
    struct Piece { // between folds: linear
        double fromMs = 0;
        double toMs = 0;
        double x = 0;
    };
    struct Fold {
        double x = 0; // left edge; kFoldWidth wide
        double ms = 0; // how long the gap was
    };
    static constexpr double kFoldWidth = 16;

    TimeScale() = default;
    // `spans` in any order; ones that are no numbers are left out.
    TimeScale(const std::vector<Busy>& spans, double pixelsPerMs, bool folds);

    [[nodiscard]] bool isEmpty() const { return m_pieces.empty(); }
    [[nodiscard]] double x(double ms) const; // before the first and behind the last: at the ends
    [[nodiscard]] double time(double x) const; // the other way round; within a fold: when it begins
    [[nodiscard]] double width() const;
    [[nodiscard]] double pixelsPerMs() const { return m_rate; }
    [[nodiscard]] const std::vector<Piece>& pieces() const { return m_pieces; }
    [[nodiscard]] const std::vector<Fold>& folds() const { return m_folds; }

private:
    void append(const Busy& busy, bool folds);

    double m_rate = 0;
    std::vector<Piece> m_pieces;
    std::vector<Fold> m_folds;
};

// Returns the same spans in order, those joined that no scale parts: a caller that keeps them makes the next
// scale at once.
std::vector<TimeScale::Busy> joined(std::vector<TimeScale::Busy> busy);

// A round interval of at least `leastMs`: 10, 20, 50 ms … 1, 2, 5, 10, 15, 30 s, 1 min … 1 day, and its
// multiples.
double roundInterval(double leastMs);

} // namespace sg::ui
