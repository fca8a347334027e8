import type { HangUp } from '../domain/call';

// An AbortSignal with a listener costs more than reading the headers of the request, and nearly no caller disconnects. So most
// listeners get a callback, and the AbortSignal is created lazily for the few that need one.

export interface HangUpNotice extends HangUp {
  /** Reports that the client disconnected. Safe to repeat. */
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

/** The same for an existing signal. */
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
