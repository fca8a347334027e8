import type { Model } from '../domain/model';

// "Did you mean": the ids with the smallest edit distance, by their name or one of their aliases.

/** Longer names are truncated: they are not typing errors, and the comparison costs the product of the lengths. */
const MAX_COMPARED_CHARS = 48;

/** The nearest `count` ids among the models, nearest first; catalog order breaks ties. */
export function nearestIds(models: readonly Model[], name: string, count: number): string[] {
  const wanted = name.toLowerCase().slice(0, MAX_COMPARED_CHARS);
  return models
    .map((model) => ({
      id: model.id,
      distance: Math.min(...[model.id, ...model.aliases].map((known) => editDistance(wanted, known))),
    }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ id }) => id);
}

/** The name that `wanted` is most probably a typing error of; undefined if none is similar. */
export function similarName(names: readonly string[], wanted: string): string | undefined {
  const text = wanted.toLowerCase().slice(0, MAX_COMPARED_CHARS);
  // Two swapped letters are two edits.
  const most = Math.max(1, Math.ceil(text.length / 4));
  const near = names
    .map((name) => ({ name, distance: editDistance(text, name) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** The Levenshtein distance: insertions, deletions and substitutions. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? to.length;
}
