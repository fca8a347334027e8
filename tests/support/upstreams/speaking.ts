import type { RecordedSocket, Upstream } from './upstream';

// The audio of every fake speech provider: a tenth of a second for each word, with every sample the same number, which
// is derived from the text. So a test can tell which text any chunk of audio came from, and how much of it there is.

/** The sample value of a text: never zero, and almost certainly different for different texts. */
export function sampleOf(text: string): number {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) % 32_000;
  return hash + 1;
}

export const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

export function pieceOf(text: string, rate: number): Buffer {
  const bytes = Buffer.alloc(Math.round(rate / 10) * 2);
  const sample = sampleOf(text);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(sample, at);
  return bytes;
}

/** Speaks the text in chunks; the returned function stops it. */
export function speakText(
  text: string,
  rate: number,
  recorded: RecordedSocket,
  upstream: Upstream,
  on: { piece(bytes: Buffer): void; done(): void },
): () => void {
  const { errors } = upstream;
  const total = wordsOf(text);
  const piece = pieceOf(text, rate);
  let said = 0;
  let isSilent = false;
  const next = () => {
    if (isSilent || recorded.socket.readyState !== recorded.socket.OPEN) return;
    if (errors.dropAfterSeconds !== undefined && said / 10 >= errors.dropAfterSeconds)
      return recorded.socket.terminate();
    if (errors.hangOnStop && said >= 1) return;
    if (said < total) {
      if (errors.oddPieces) {
        on.piece(piece.subarray(0, 1_001));
        on.piece(piece.subarray(1_001));
      } else on.piece(piece);
      said++;
      schedule();
    } else {
      isSilent = true;
      on.done();
    }
  };
  const schedule = () => {
    if (errors.pieceMs === 0) setImmediate(next);
    else setTimeout(next, errors.pieceMs ?? 4);
  };
  schedule();
  return () => {
    isSilent = true;
  };
}
