export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string | number;
  readonly align?: 'left' | 'right';
}

/** A table for a terminal: titles, then rows, columns as wide as their widest cell. */
export function printTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => String(column.value(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return columns[index]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
