// Inserts that are parts of a larger statement, so that rows that belong together take one round trip and one commit.

/**
 * An insert that selects from the one row of another part of the statement, and inserts nothing if there is no such
 * row.
 */
export interface PartialInsert {
  /**
   * `insert into … select … from <from>`. Its own parameters begin at `$first`. The columns of `from` are those of
   * `holds` in a statement that opens a hold.
   */
  text(first: number, from: string): string;
  readonly values: readonly unknown[];
}

/** Joins the inserts as parts of a `with`, each after a comma, and their values, which begin at `$first`. */
export function joinInserts(
  inserts: readonly PartialInsert[],
  first: number,
  from: string,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  let text = '';
  for (const [number, insert] of inserts.entries()) {
    text += `, inserted_${number} as (${insert.text(first + values.length, from)})`;
    values.push(...insert.values);
  }
  return { text, values };
}
