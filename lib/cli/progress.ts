import type { Cancel } from '../domain/clock';
import { note, type Terminal } from './terminal';

// Progress on standard error: a bar that is redrawn on a terminal, otherwise a line for each change.

const WIDTH = 24;
const REDRAW_MS = 120;

export interface Progress {
  /** `share` of the whole from 0 to 1; undefined if it is not known, which a moving bar shows. */
  show(label: string, share?: number): void;
  end(): void;
}

export function startProgress(terminal: Terminal): Progress {
  return terminal.stderr.isTTY ? drawBar(terminal) : writeLines(terminal);
}

function drawBar({ stderr, clock }: Terminal): Progress {
  const startedAtMs = clock.nowMs();
  let current: { readonly label: string; readonly share: number | undefined } = { label: '', share: undefined };
  let cancel: Cancel = () => undefined;
  function draw(): void {
    cancel();
    const elapsedMs = clock.nowMs() - startedAtMs;
    const { label, share } = current;
    const bar = share === undefined ? movingBar(elapsedMs) : filledBar(share);
    const amount = share === undefined ? '' : ` ${Math.floor(share * 100)} %`;
    stderr.write(`\r\u001b[2K${bar} ${label}${amount}, ${Math.floor(elapsedMs / 1000)} s`);
    cancel = clock.after(REDRAW_MS, draw);
  }
  return {
    show(label, share) {
      current = { label, share };
      draw();
    },
    end() {
      cancel();
      stderr.write('\r\u001b[2K');
    },
  };
}

function filledBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`;
}

function movingBar(elapsedMs: number): string {
  const at = Math.floor(elapsedMs / REDRAW_MS) % WIDTH;
  return `[${Array.from({ length: WIDTH }, (_, place) => ((place - at + WIDTH) % WIDTH < 3 ? '#' : '-')).join('')}]`;
}

function writeLines(terminal: Terminal): Progress {
  let last = '';
  return {
    show(label) {
      if (label !== last) note(terminal, label);
      last = label;
    },
    end: () => undefined,
  };
}
