// Does Next itself hold the port? Our own server tells Next who is asking, and lets nobody else say it; a plain `next start`
// believes what the request says of itself.

const mark = Symbol.for('gateway.plain-next');
type Marks = { [mark]?: true };

export function markPlainNext(): void {
  (globalThis as Marks)[mark] = true;
}

export function isPlainNext(): boolean {
  return (globalThis as Marks)[mark] === true;
}
