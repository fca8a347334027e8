import type { Transcript } from '../../domain/transcription';
import { makeTranscript } from '../kit/speech/transcript';

// The upstream works on several stretches of sound at once and may finish a later one first. What the caller hears follows
// the sound: a stretch speaks only when all before it have spoken.

interface Item {
  readonly id: string;
  text: string;
  final?: string;
}

export function createItems() {
  const queue: Item[] = [];
  const spoken = new Set<string>();

  /** A stretch has begun; it stands behind `previousId`, or last. */
  function open(id: string, previousId?: string): Item {
    const known = queue.find((item) => item.id === id);
    if (known) return known;
    const item: Item = { id, text: '' };
    const at = queue.findIndex((other) => other.id === previousId);
    if (at >= 0) queue.splice(at + 1, 0, item);
    else if (previousId !== undefined && spoken.has(previousId)) queue.unshift(item);
    else queue.push(item);
    return item;
  }

  /** More text of a stretch that is not final. */
  function add(id: string, delta: string): Transcript[] {
    if (spoken.has(id)) return [];
    const item = open(id);
    item.text += delta;
    return queue[0] === item ? listed([makeTranscript(item.text, false)]) : [];
  }

  /** The final text of a stretch, blank when it could not be understood; gives everything that may be said now. */
  function finish(id: string, text: string): Transcript[] {
    if (spoken.has(id)) return [];
    open(id).final = text;
    const said: (Transcript | undefined)[] = [];
    for (let first = queue[0]; first?.final !== undefined; first = queue[0]) {
      said.push(makeTranscript(first.final, true));
      spoken.add(first.id);
      queue.shift();
    }
    if (queue[0]) said.push(makeTranscript(queue[0].text, false));
    return listed(said);
  }

  return { open, add, finish, isAnyOpen: () => queue.length > 0 };
}

const listed = (said: readonly (Transcript | undefined)[]) => said.filter((transcript) => transcript !== undefined);
