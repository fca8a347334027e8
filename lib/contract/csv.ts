// Tables as CSV (RFC 4180), for spreadsheets.

export type CsvValue = string | number | null | undefined;

/** Formats the values as one line, including its line break. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** A decimal number, such as an amount. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/** Matches a text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function field(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
