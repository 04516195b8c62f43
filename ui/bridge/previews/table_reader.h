#pragma once

namespace sg::ui {

// Python code for the sandbox that reads previews. Each function prints one line of JSON, so that the file's
// content stays data. _sandglass_page(path, offset, limit, by, descending, filter) prints the rows that pass
// `filter` (column, test, value), ordered by column `by` unless that is -1. _sandglass_facts(path, column)
// prints empty cells, least, most, and bars.
inline constexpr const char* kTableReader = R"(
def _sandglass_open(path, files={}):
    import pyarrow as pa
    if path not in files:
        files.clear()
        with open(path, 'rb') as file:
            head = file.read(4)
        if head == b'PAR1':
            import pyarrow.parquet as parquet
            files[path] = ('parquet', parquet.ParquetFile(path, memory_map=True))
        else:
            files[path] = ('arrow', pa.memory_map(path))
    return files[path]

def _sandglass_arrow(source):
    import pyarrow as pa
    source.seek(0)
    try:
        return pa.ipc.open_file(source)
    except pa.ArrowInvalid:
        source.seek(0)
        return pa.ipc.open_stream(source)

def _sandglass_order(path, by, descending, kept={}):
    import numpy, pyarrow as pa, pyarrow.compute as pc
    key = (path, by)
    if key not in kept:
        kept.clear()
        kind, file = _sandglass_open(path)
        if kind == 'parquet':
            values = file.read(columns=[file.schema_arrow.names[by]]).column(0)
        else:
            values = _sandglass_arrow(file).read_all().column(by)
        options = pc.SortOptions([('v', 'ascending')], null_placement='at_end')
        order = pc.sort_indices(pa.table({'v': values}), options=options).to_numpy().astype('uint32')
        # What is not a number stands before the nulls, and is no value either.
        nans = pc.sum(pc.is_nan(values)).as_py() or 0 if pa.types.is_floating(values.type) else 0
        kept[key] = order, len(order) - values.null_count - nans
    order, filled = kept[key]
    return numpy.concatenate((order[:filled][::-1], order[filled:])) if descending else order

def _sandglass_parts(path, column):
    kind, file = _sandglass_open(path)
    if kind == 'parquet':
        for batch in file.iter_batches(batch_size=262144, columns=[file.schema_arrow.names[column]]):
            yield batch.column(0)
    else:
        reader = _sandglass_arrow(file)
        count = getattr(reader, 'num_record_batches', None)
        for batch in reader if count is None else (reader.get_batch(i) for i in range(count)):
            yield batch.column(column)

def _sandglass_passing(path, column, test, value):
    import numpy, pyarrow as pa, pyarrow.compute as pc
    try:
        number = float(value)
    except ValueError:
        number = None
    found = [numpy.zeros(0, dtype=bool)]
    for part in _sandglass_parts(path, column):
        type = part.type
        is_number = pa.types.is_integer(type) or pa.types.is_floating(type) or pa.types.is_decimal(type)
        if test == ':':
            passes = pc.match_substring(part.cast('string'), value, ignore_case=True)
        elif is_number and number is None:
            passes = pa.array(numpy.zeros(len(part), dtype=bool))
        else:
            compare = {'=': pc.equal, '<': pc.less, '>': pc.greater}[test]
            passes = compare(part.cast('float64', safe=False), number) if is_number else compare(
                part.cast('string'), value.lower() if pa.types.is_boolean(type) else value)
        found.append(passes.fill_null(False).to_numpy(zero_copy_only=False))
    return numpy.concatenate(found)

def _sandglass_rows(path, by, descending, filter, kept={}):
    import numpy
    if filter is None:
        return _sandglass_order(path, by, descending)
    key = (path, by, descending, filter)
    if key not in kept:
        kept.clear()
        passing = _sandglass_passing(path, *filter)
        if by < 0:
            kept[key] = numpy.nonzero(passing)[0].astype('uint32')
        else:
            order = _sandglass_order(path, by, descending)
            kept[key] = order[passing[order]]
    return kept[key]

def _sandglass_sorted(path, offset, limit, by, descending, filter):
    import numpy, pyarrow as pa
    order = _sandglass_rows(path, by, descending, filter)
    start = min(offset, max(0, (len(order) - 1) // limit * limit))
    wanted = order[start:start + limit].astype('int64')
    kind, file = _sandglass_open(path)
    if kind == 'arrow':
        table = _sandglass_arrow(file).read_all()
        return table.schema, len(order), start, table.select(table.schema.names[:200]).take(pa.array(wanted)).to_batches()
    names, at, pieces, places = file.schema_arrow.names[:200], 0, [], []
    for group in range(file.num_row_groups):
        count = file.metadata.row_group(group).num_rows
        here = numpy.nonzero((wanted >= at) & (wanted < at + count))[0]
        if len(here):
            pieces.append(file.read_row_group(group, columns=names).take(pa.array(wanted[here] - at)))
            places.append(here)
        at += count
    if not pieces:
        return file.schema_arrow, len(order), start, ()
    back = numpy.argsort(numpy.concatenate(places), kind='stable')
    return file.schema_arrow, len(order), start, pa.concat_tables(pieces).take(pa.array(back)).to_batches()

def _sandglass_page(path, offset, limit, by=-1, descending=False, filter=None):
    import json

    def batches_of_parquet(file):
        total, first, at, groups = file.metadata.num_rows, 0, 0, []
        start = min(offset, max(0, (total - 1) // limit * limit))
        for group in range(file.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if at + count > start and at < start + limit:
                first = first if groups else at
                groups.append(group)
            at += count
        names = file.schema_arrow.names[:200]
        return file.schema_arrow, total, first, start, file.iter_batches(
            batch_size=limit if start == first else 16384, row_groups=groups[:64], columns=names) if groups else ()

    def batches_of_arrow(source):
        reader = _sandglass_arrow(source)
        if hasattr(reader, 'num_record_batches'):
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
            total = sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))
        else:
            batches, total = reader, -1
        start = offset if total < 0 else min(offset, max(0, (total - 1) // limit * limit))
        return reader.schema, total, 0, start, batches

    if by >= 0 or filter is not None:
        schema, total, start, batches = _sandglass_sorted(path, offset, limit, by, descending, filter)
        at = start
    else:
        kind, file = _sandglass_open(path)
        schema, total, at, start, batches = batches_of_parquet(file) if kind == 'parquet' else batches_of_arrow(file)
    names = schema.names[:200]
    columns, taken, more = [[] for _ in names], 0, False
    room = max(20, 3_000_000 // (limit * max(1, len(names))))
    for batch in batches:
        if at + batch.num_rows > start and taken < limit:
            piece = batch.slice(max(0, start - at), limit - taken)
            for index in range(len(names)):
                columns[index].extend('' if value is None else str(value)[:room] for value in piece.column(index).to_pylist())
            taken += piece.num_rows
        at += batch.num_rows
        if taken >= limit:
            more = at > start + taken
            break
    print(json.dumps({'columns': names, 'types': [str(t) for t in schema.types[:200]], 'first': start, 'rows': list(zip(*columns)),
                      'total': total, 'more': more or (total < 0 and taken >= limit)}))

def _sandglass_facts(path, column):
    import json, numpy, pyarrow as pa, pyarrow.compute as pc
    kind, file = _sandglass_open(path)
    schema = file.schema_arrow if kind == 'parquet' else _sandglass_arrow(file).schema
    name, type = schema.names[column], schema.types[column]
    is_time = pa.types.is_temporal(type)
    is_number = pa.types.is_integer(type) or pa.types.is_floating(type) or pa.types.is_decimal(type)

    def numbers(part):
        part = part.drop_null()
        if is_time:
            part = part.cast('int32' if part.type.bit_width == 32 else 'int64')
        found = part.cast('float64').to_numpy(zero_copy_only=False)
        return found[numpy.isfinite(found)]

    told = {'empty': 0, 'least': '', 'most': '', 'distinct': -1, 'bars': [], 'values': []}
    least, most, counts = None, None, {}
    for part in _sandglass_parts(path, column):
        told['empty'] += part.null_count
        if is_number or is_time:
            extent = pc.min_max(part.filter(pc.is_finite(part)) if pa.types.is_floating(type) else part).as_py()
            if extent['min'] is not None:
                least = extent['min'] if least is None else min(least, extent['min'])
                most = extent['max'] if most is None else max(most, extent['max'])
        elif counts is not None and not pa.types.is_nested(type):
            for each in pc.value_counts(part.drop_null()).to_pylist():
                key = str(each['values'])[:80]
                counts[key] = counts.get(key, 0) + each['counts']
            counts = counts if len(counts) <= 1000 else None
    if least is not None:
        told['least'], told['most'] = str(least), str(most)
        low, high = (numbers(pa.array([end], type))[0] for end in (least, most))
        bars = numpy.zeros(12)
        for part in _sandglass_parts(path, column):
            bars += numpy.histogram(numbers(part), 12, (low, high if high > low else low + 1))[0]
        told['bars'] = bars.tolist()
    elif counts and not is_number and not is_time:
        told['distinct'] = len(counts)
        if len(counts) <= 12:
            told['values'], told['bars'] = list(counts), [float(count) for count in counts.values()]
    print(json.dumps(told))
)";

} // namespace sg::ui
