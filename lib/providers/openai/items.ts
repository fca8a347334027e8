import type { Transcript } from '../../domain/transcription';
import { makeTranscript } from '../kit/speech/transcript';

// The upstream processes several items of audio at once and may finish a later one first. Transcripts are sent in the
// order of the audio: an item's text is released when all items before it are final.

interface Item {
  readonly id: string;
  text: string;
  final?: string;
}

export function createItems() {
  const queue: Item[] = [];
  const spoken = new Set<string>();

  /** Adds an item after `previousId`, or at the end. */
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

  /** Adds interim text to an item. */
  function add(id: string, delta: string): Transcript[] {
    if (spoken.has(id)) return [];
    const item = open(id);
    item.text += delta;
    return queue[0] === item ? listed([makeTranscript(item.text, false)]) : [];
  }

  /**
   * Sets the final text of an item, blank if it was not understood. Returns all transcripts that can now be released.
   */
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
