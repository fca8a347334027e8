/** Columns of text; the first row has their titles. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Names and values, one pair per line; undefined values are left out. */
export function facts(values: Readonly<Record<string, string | undefined>>): string {
  const rows = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return table(rows);
}

/** A decimal text of dollars for reading. */
export function dollars(amount: string): string {
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** Unix seconds as a date with a time in UTC. */
export function instant(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
