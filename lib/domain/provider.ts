import type { Worker } from 'node:worker_threads';
import type { Call } from './call';
import type { Clock } from './clock';
import type { OrgId, ProviderId } from './ids';
import type { Log } from './log';
import type { MessagesProvider, ThinkingSigner } from './messages';
import type { Capability } from './model';
import type { TtsProvider } from './speech';
import type { SttProvider } from './transcription';
import type { Mode, VideoProvider } from './video';

// A capability is supported if it is present: no methods that only say "unsupported", no flags beside them.

/** A company (or this machine) that does the work; one folder below `lib/providers` each. */
export interface Provider {
  readonly id: ProviderId;
  readonly video?: VideoProvider;
  readonly messages?: MessagesProvider;
  readonly stt?: SttProvider;
  readonly tts?: TtsProvider;
  /** Ends workers and timers; resolves when nothing of the provider runs any more. */
  close?(): Promise<void>;
}

/** What a provider folder exports: who it is, what it needs from the environment, and how it is made. */
export interface ProviderDefinition {
  readonly id: ProviderId;
  readonly name: string;
  /** What `create` returns an adapter for. Known without credentials, so the catalog can tell what an operator could enable. */
  readonly capabilities: readonly Capability[];
  /** Variables of the environment; the provider is offered when every required one is set. */
  readonly settings: readonly ProviderSetting[];
  create(deps: ProviderDeps): Provider;
}

export interface ProviderSetting {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

/** Everything from outside that a provider may use; nothing else is reachable from its folder. */
export interface ProviderDeps {
  readonly settings: Readonly<Record<string, string>>;
  /** A directory of this provider's own, already made. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Cores that compute-bound workers may use. */
  readonly cores: number;
  readonly media: MediaSource;
  readonly thinkingSigner: ThinkingSigner;
  /** Starts the worker thread whose source is at this path from the project root; see `lib/workers.ts`. */
  startWorker(source: string, workerData: unknown): Worker;
}

/** Callers' media, behind the one guarded way out of the house. */
export interface MediaSource {
  /**
   * Reads an https address, a data URL or a signed link of this installation, judged and capped.
   * Rejects with `url_not_allowed`, `media_unreachable`, `media_invalid` or `media_too_large`.
   */
  read(
    url: string,
    want: {
      readonly kind: 'image' | 'video';
      /** Absent: no link of this installation is meant. */ readonly owner?: {
        readonly orgId: OrgId;
        readonly mode: Mode;
      };
    },
    call: Call,
  ): Promise<MediaBytes>;
}

export interface MediaBytes {
  readonly bytes: Uint8Array;
  /** Sniffed from the first bytes, never believed from a header: `image/png`, `video/mp4` … */
  readonly contentType: string;
}
