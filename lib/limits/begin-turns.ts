// Requests that arrive together begin in turns: each organisation begins a few, then the event loop looks for what else
// has arrived, and the next ones begin. Otherwise a thousand requests of one organisation, which take a second of
// processor time to begin, would delay for that second all that arrive after them.

/** How many requests of an organisation begin in one turn of the event loop: some milliseconds of work. */
export const PER_TURN = 16;
/**
 * Requests per turn while several organisations send: each of their requests needs several turns, and waits for each.
 */
export const PER_SHARED_TURN = 4;
/** How long the turns stay short after a request of another organisation. */
const SHARED_MS = 1_000;

export interface BeginTurns {
  /** Resolves when a request of this organisation may begin; undefined: at once. */
  wait(organization: string): Promise<void> | undefined;
  /** Whether requests of several organisations began within the last second. */
  isShared(): boolean;
}

/** `later` runs a function in the next turn of the event loop. */
export function createBeginTurns(
  later: (run: () => void) => unknown = setImmediate,
  now: () => number = () => performance.now(),
): BeginTurns {
  /** How many of each organisation have begun in this turn. */
  const begun = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let isScheduled = false;
  let latest: string | undefined;
  let sharedUntilMs = -Infinity;

  function trackSharing(organization: string): void {
    if (organization === latest) return;
    if (latest !== undefined) sharedUntilMs = now() + SHARED_MS;
    latest = organization;
  }

  const isShared = () => now() < sharedUntilMs;
  const perTurn = () => (isShared() ? PER_SHARED_TURN : PER_TURN);

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    later(endTurn);
  }

  function endTurn(): void {
    isScheduled = false;
    begun.clear();
    const most = perTurn();
    for (const [organization, line] of waiting) {
      const next = line.splice(0, most);
      if (line.length === 0) waiting.delete(organization);
      begun.set(organization, next.length);
      for (const begin of next) begin();
    }
    if (begun.size > 0) schedule();
  }

  return {
    isShared,

    wait(organization) {
      schedule();
      trackSharing(organization);
      const count = begun.get(organization) ?? 0;
      // If requests of this organisation already wait, this one waits behind them, even if the turn has room again.
      if (!waiting.has(organization) && count < perTurn()) {
        begun.set(organization, count + 1);
        return undefined;
      }
      return new Promise((resolve) => {
        const line = waiting.get(organization);
        if (line) line.push(resolve);
        else waiting.set(organization, [resolve]);
      });
    },
  };
}
