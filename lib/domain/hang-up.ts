// Callers may leave before their answer. Nearly none does, and an AbortSignal with a listener costs more than reading the
// request's headers did: so who only has to be told is told by a call, and the signal is made for those who need one.

export interface HangUp {
  /** The caller has left. */
  readonly happened: boolean;
  /** Calls `run` once when the caller leaves, at once if that was before. What is returned ends it. */
  follow(run: () => void): () => void;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

export interface HangUpNotice extends HangUp {
  /** The caller has left. Safe to repeat. */
  tell(): void;
}

export function createHangUp(): HangUpNotice {
  let happened = false;
  let followers: (() => void)[] = [];
  let controller: AbortController | undefined;
  const follow = (run: () => void) => {
    if (happened) {
      run();
      return () => {};
    }
    followers.push(run);
    return () => {
      const at = followers.indexOf(run);
      if (at !== -1) followers.splice(at, 1);
    };
  };

  return {
    get happened() {
      return happened;
    },
    follow,
    get signal() {
      if (!controller) {
        controller = new AbortController();
        follow(() => controller?.abort());
      }
      return controller.signal;
    },
    tell() {
      if (happened) return;
      happened = true;
      const told = followers;
      followers = [];
      for (const run of told) run();
    },
  };
}

/** The same of a signal that there is already. */
export function hangUpOf(signal: AbortSignal): HangUp {
  return {
    get happened() {
      return signal.aborted;
    },
    follow(run) {
      if (signal.aborted) run();
      else signal.addEventListener('abort', run, { once: true });
      return () => signal.removeEventListener('abort', run);
    },
    signal,
  };
}
