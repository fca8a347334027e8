/** Formats columns of text. The first row contains their titles. */
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

/** Formats names and values, one pair per line. Undefined values are left out. */
export function facts(values: Readonly<Record<string, string | undefined>>): string {
  const rows = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return table(rows);
}

/** Formats a decimal string of dollars. */
export function dollars(amount: string): string {
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** Formats Unix seconds as a date and time in UTC. */
export function instant(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
