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
  return new Notice();
}

class Notice implements HangUpNotice {
  #happened = false;
  #followers: (() => void)[] = [];
  #controller: AbortController | undefined;

  get happened(): boolean {
    return this.#happened;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      this.follow(() => controller.abort());
    }
    return this.#controller.signal;
  }

  follow(run: () => void): () => void {
    if (this.#happened) {
      run();
      return nothing;
    }
    this.#followers.push(run);
    return () => {
      const at = this.#followers.indexOf(run);
      if (at !== -1) this.#followers.splice(at, 1);
    };
  }

  tell(): void {
    if (this.#happened) return;
    this.#happened = true;
    const told = this.#followers;
    this.#followers = [];
    for (const run of told) run();
  }
}

function nothing(): void {}

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
