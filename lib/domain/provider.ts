import type { Worker } from 'node:worker_threads';
import type { Call } from './call';
import type { Clock } from './clock';
import type { ProbeVideo, RemoteFiles } from './files';
import type { OrgId, ProviderId } from './ids';
import type { Log } from './log';
import type { MessagesBinding, MessagesBody, MessagesProvider, ThinkingSigner } from './messages';
import type { Capability } from './model';
import type { TtsProvider } from './speech';
import type { SttProvider } from './transcription';
import type { MediaForm, Mode, OrderMedia, VideoBinding, VideoKind, VideoProvider } from './video';

// A provider supports a capability if the property is present. There are no methods that only throw "unsupported", and
// no flags.

/** A company (or this machine) that does the work; each has one folder below `lib/providers`. */
export interface Provider {
  readonly id: ProviderId;
  readonly video?: VideoProvider;
  readonly messages?: MessagesProvider;
  readonly stt?: SttProvider;
  readonly tts?: TtsProvider;
  /** Ends workers and timers; resolves when nothing of the provider is running. */
  close?(): Promise<void>;
}

/** The export of a provider folder: its id, its environment variables, and its factory. */
export interface ProviderDefinition {
  readonly id: ProviderId;
  readonly name: string;
  /**
   * The capabilities of the adapter that `create` returns. Known without credentials, so that the catalog can show what
   * an operator could enable.
   */
  readonly capabilities: readonly Capability[];
  /** Environment variables; the provider is enabled when every required one is set, and one of the `alternatives`. */
  readonly settings: readonly ProviderSetting[];
  /**
   * Credentials of which one is enough, each with the names of its variables: `[['KEY'], ['USER', 'PASSWORD']]`. The
   * first one that is complete is used. Absent: the required variables are enough.
   */
  readonly alternatives?: readonly CredentialNames[];
  /**
   * The credentials that an organisation may store for its own account. Absent: all that enable the provider. Empty for
   * a provider whose settings name a server: only the operator decides which servers are called.
   */
  readonly ownCredentials?: readonly CredentialNames[];
  /**
   * Whether the adapter can order this binding. The binding's `modelName` is the name of the model whose requests it
   * takes (`requestNameOf`). Absent: it can order every video binding of its provider.
   */
  knows?(binding: VideoBinding): boolean;
  /**
   * Returns the binding as these settings can order it, with shorter lists and lower limits, if some credentials allow
   * less than others. Absent: all credentials can order the same.
   */
  narrow?(binding: VideoBinding, kind: VideoKind, settings: ProviderDeps['settings']): VideoBinding;
  /** What the adapter refuses and leaves out of messages. Absent: it forwards everything. */
  readonly messageRules?: MessageRules;
  create(deps: ProviderDeps): Provider;
}

/**
 * The rules of an adapter for messages. They are known without credentials, so that test mode treats a message as the
 * provider would.
 */
export interface MessageRules {
  /** Throws if the adapter cannot forward the message. */
  check(body: MessagesBody, binding: MessagesBinding): void;
  /** Returns the fields of the body that the adapter does not forward, by their names in `X-Ignored-Params`. */
  ignoredParams(body: MessagesBody, binding: MessagesBinding): readonly string[];
}

/** The variables that together form one credential. */
export type CredentialNames = readonly [string, ...string[]];

export interface ProviderSetting {
  readonly name: string;
  /** Other names of the same value, as the provider's own SDK and other programs read it. */
  readonly aliases?: readonly [SettingAlias, ...SettingAlias[]];
  readonly required: boolean;
  readonly description: string;
}

/**
 * One variable with the same value; or one that contains `id:secret`, of which a part is the value; or two that contain
 * the id and the secret, where the value is `id:secret`.
 */
export type SettingAlias =
  string | { readonly part: 'id' | 'secret'; readonly of: string } | { readonly id: string; readonly secret: string };

/** All dependencies of a provider; its folder imports nothing else from outside. */
export interface ProviderDeps {
  readonly settings: Readonly<Record<string, string>>;
  /** A directory for this provider only; it exists. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Cores that CPU-bound workers may use. */
  readonly cores: number;
  readonly media: MediaSource;
  readonly files: RemoteFiles;
  /** Reads the facts of a video file in a thread. */
  readonly probe: ProbeVideo;
  readonly thinkingSigner: ThinkingSigner;
  /** Starts the worker thread of the source at this path from the project root; see `lib/workers.ts`. */
  startWorker(source: string, workerData: unknown): Worker;
}

/**
 * Callers' media, read through the SSRF guard. Every rejection is a GatewayError with the upstream outcome `never` and
 * `no`: the media are invalid, and no other provider could read them.
 */
export interface MediaSource {
  /**
   * Reads an https URL, a data URL or a signed link of this installation, with checks of the URL, the kind and the size.
   * Rejects with `url_not_allowed`, `media_unreachable`, `media_invalid` or `media_too_large`.
   */
  read(
    url: string,
    want: {
      readonly kind: 'image' | 'video';
      /** Absent: no link of this installation is meant. */ readonly owner?: MediaOwner;
    },
    call: Call,
  ): Promise<MediaBytes & HeldMedia>;
  /**
   * Returns the media of an order in the first of these forms that is possible. `https` is possible for a URL that the
   * provider can reach: a public one of the caller, and a signed link of this installation if `PUBLIC_BASE_URL` is a
   * public https URL. For a data URL it is the link to its published bytes, used only if no other form is possible. The
   * other forms are always possible. Rejects as `read` does, with `media_too_large` if the media exceed the limit of
   * every form that they could have, and with `media_invalid` if no form is possible.
   */
  as(
    media: OrderMedia,
    accepts: readonly [AcceptedForm, ...AcceptedForm[]],
    owner: MediaOwner,
    call: Call,
  ): Promise<MediaInForm>;
}

/** The owner of the signed links of this installation that are used as media. */
export interface MediaOwner {
  readonly orgId: OrgId;
  readonly mode: Mode;
}

export interface MediaBytes {
  readonly bytes: Uint8Array;
  /** Detected from the first bytes, never taken from a header: `image/png`, `video/mp4` … */
  readonly contentType: string;
}

/**
 * A form in which an upstream takes media; `maxBytes` counts the bytes of the file. It is not checked for `https`,
 * because only the upstream reads such a file.
 */
export interface AcceptedForm {
  readonly form: MediaForm;
  readonly maxBytes?: number;
}

export type MediaInForm =
  | { readonly form: 'https'; readonly url: string }
  | ({ readonly form: 'data'; readonly url: string } & HeldMedia)
  | ({ readonly form: 'base64'; readonly data: string; readonly contentType: string } & HeldMedia)
  | ({ readonly form: 'bytes' } & MediaBytes & HeldMedia);

/**
 * Media in memory. All requests share a limit on such media; while it is reached, `read` and `as` wait. The media count until
 * they are released or the signal of the call aborts.
 */
export interface HeldMedia {
  /** Call it when the request with the media has ended. Safe to repeat. */
  release(): void;
}
