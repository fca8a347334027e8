import { systemClock, type Clock } from '../../lib/domain/clock';
import type { LimitScope, LimitValues } from '../../lib/domain/limits';
import type { Mode } from '../../lib/domain/video';
import { createBodyBudget, MIB } from '../../lib/limits/body-budget';
import { createLevels, type SharedLevels } from '../../lib/limits/levels';
import { createLimits, type Limits } from '../../lib/limits/limits';
import { createWindowCounters, type SharedWindows } from '../../lib/limits/window-counters';
import { recordLog } from './log';

export interface TestLimitsOptions {
  readonly clock?: Clock;
  /** Without these there are no limits. */
  readonly configured?: Partial<Readonly<Record<LimitScope, LimitValues>>>;
  readonly shared?: { readonly windows: SharedWindows; readonly levels: SharedLevels };
  readonly processes?: number;
  readonly isOverloaded?: (mode: Mode) => boolean;
}

/** The limits as `server/compose.ts` builds them. */
export function makeLimits({
  clock = systemClock,
  configured = {},
  shared,
  processes = 1,
  isOverloaded = () => false,
}: TestLimitsOptions = {}): Limits {
  const levels = createLevels({ clock, log: recordLog(), shared: shared?.levels, configuredProcesses: processes });
  const { key = {}, organization = {}, installation = {} } = configured;
  const { body_mebibytes: mebibytes } = installation;
  return createLimits({
    windows: createWindowCounters({ clock, shared: shared?.windows, processes: levels.processes }),
    levels,
    bodies: createBodyBudget(mebibytes === undefined ? undefined : mebibytes * MIB),
    load: { isOverloaded },
    configured: { key, organization, installation },
    clock,
  });
}
