#pragma once

#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifacts_panel.h"

#include <QImage>
#include <QPainter>
#include <QTest>

// Artifacts, their previews, and a hand that chooses one.
namespace sg::test {

using namespace sg::ui;

inline ArtifactRow artifact(const QString& name, const QString& mime, qint64 size, const QString& node,
                            int step)
{
    ArtifactRow row;
    row.id = QStringLiteral("id-") + name;
    row.name = name;
    row.path = name;
    row.mime = mime;
    row.sha256 = QStringLiteral("9f2c41d0aa5be1f00c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f7be3a512");
    row.size = size;
    row.node = node;
    row.step = step;
    row.createdMs = 1'795'271'325'000.0;
    return row;
}

inline std::vector<ArtifactRow> six()
{
    const auto s = [](const char* text) { return QString::fromLatin1(text); };
    return { artifact(s("mass_by_species.png"), s("image/png"), 48'211, s("visualize"), 13),
             artifact(s("summary.parquet"), s("application/vnd.apache.parquet"), 6'344, s("analyze"), 11),
             artifact(s("report.md"), s("text/markdown"), 3'402, s("report"), 14),
             artifact(s("model.joblib"), s("application/octet-stream"), 1'100'000, s("model"), 13),
             artifact(s("penguins_clean.csv"), s("text/csv"), 12'700, s("analyze"), 11),
             artifact(s("a_very_long_name_of_an_artifact_that_does_not_fit_into_its_row.json"),
                      s("application/json"), 12, s("analyze"), 11) };
}

inline QImage figure()
{
    QImage image(480, 320, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    for (int i = 0; i < 6; ++i)
        painter.fillRect(40 + i * 70, 300 - 40 * (i + 1), 50, 40 * (i + 1),
                         QColor::fromHsv(i * 40, 120, 180));
    painter.end();
    return image;
}

inline ArtifactPreview imagePreview()
{
    ArtifactPreview preview;
    preview.kind = ArtifactPreview::Kind::Image;
    preview.artifact = six().front().id;
    preview.picture = figure();
    return preview;
}

inline ArtifactPreview tablePreview()
{
    const auto list = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    ArtifactPreview preview;
    preview.kind = ArtifactPreview::Kind::Table;
    preview.artifact = six()[1].id;
    preview.columns = list("species sex body_mass_g n");
    preview.columnTypes = list("string string double int64");
    for (const char* row : { "Adelie female 3368.8 73", "Adelie male 4043.5 73", "Chinstrap female 3527.2 34",
                             "Chinstrap male 3939.0 34", "Gentoo female 4679.7 58" })
        preview.rows.push_back(list(row));
    preview.totalRows = 6;
    return preview;
}

inline void selectRow(ArtifactsPanel& panel, int row)
{
    auto* list = panel.findChild<ArtifactList*>();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(row, 0)).center());
}

} // namespace sg::test
