import type { Clock } from '../domain/clock';

// Pauses calls to a failing provider, so that callers do not wait for one that has just failed several others. Kept in
// memory, per process. Only failures of the provider count, not errors of the caller or disconnects.

const FAILURES_IN_ROW = 5;
const WINDOW_MS = 60_000;
/** With this many responses in the window, the circuit also opens when more than half of them are failures. */
const WINDOW_ANSWERS = 20;
const OPEN_MS = 30_000;

export interface CircuitBreaker {
  /** May the provider be called? An open circuit allows one trial request after its pause. */
  admits(key: string): boolean;
  /** Milliseconds until the end of its pause; 0 if the circuit is closed. */
  waitMs(key: string): number;
  /** Has it recently asked for a delay (429, overloaded)? Then other providers are tried first. */
  isCooling(key: string): boolean;
  succeeded(key: string): void;
  failed(key: string): void;
  coolDown(key: string, ms: number): void;
}

interface Circuit {
  inRow: number;
  /** Newest last; true for a failure. */
  answers: { readonly at: number; readonly failed: boolean }[];
  openUntil: number;
  isTrying: boolean;
  coolUntil: number;
}

export function createCircuitBreaker({ clock }: { clock: Clock }): CircuitBreaker {
  const circuits = new Map<string, Circuit>();

  function circuitOf(key: string): Circuit {
    let circuit = circuits.get(key);
    if (!circuit) circuits.set(key, (circuit = { inRow: 0, answers: [], openUntil: 0, isTrying: false, coolUntil: 0 }));
    return circuit;
  }

  function note(circuit: Circuit, failed: boolean): void {
    const at = clock.nowMs();
    circuit.answers.push({ at, failed });
    if (circuit.answers.length > WINDOW_ANSWERS) circuit.answers.shift();
    circuit.inRow = failed ? circuit.inRow + 1 : 0;
    const recent = circuit.answers.filter((answer) => answer.at > at - WINDOW_MS);
    const failures = recent.filter((answer) => answer.failed).length;
    const isMostlyFailing = recent.length >= WINDOW_ANSWERS && failures * 2 > recent.length;
    if (failed && (circuit.isTrying || circuit.inRow >= FAILURES_IN_ROW || isMostlyFailing))
      circuit.openUntil = at + OPEN_MS;
    circuit.isTrying = false;
  }

  return {
    admits(key) {
      const circuit = circuits.get(key);
      if (!circuit || circuit.openUntil === 0) return true;
      if (circuit.openUntil > clock.nowMs()) return false;
      circuit.isTrying = true;
      // If the trial never reports (its client disconnected), another trial is allowed after the same pause.
      circuit.openUntil = clock.nowMs() + OPEN_MS;
      return true;
    },
    waitMs: (key) => Math.max(0, (circuits.get(key)?.openUntil ?? 0) - clock.nowMs()),
    isCooling: (key) => (circuits.get(key)?.coolUntil ?? 0) > clock.nowMs(),
    succeeded(key) {
      const circuit = circuits.get(key);
      if (!circuit) return;
      circuit.openUntil = 0;
      circuit.coolUntil = 0;
      note(circuit, false);
      if (circuit.answers.every((answer) => !answer.failed)) circuits.delete(key);
    },
    failed: (key) => note(circuitOf(key), true),
    coolDown(key, ms) {
      circuitOf(key).coolUntil = clock.nowMs() + ms;
    },
  };
}
