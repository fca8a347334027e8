import type { SessionKind } from './active-meter';
import { codeOf, errorForLog, GatewayError } from '../domain/errors';
import { createContentWriter } from '../contents/content-writer';
import type { Database } from '../db/database';
import type { KeyRevocationWatch } from '../accounts/key-revocation-watch';
import type { Session, SessionDeps, SessionStart } from './session';
import { createBlockPool } from './replay-buffer';
import { startSpeech } from './speech-session';
import { startTranscription } from './transcription-session';

// All sessions of this process. They end when their keys are revoked or the process stops.

export interface AudioSessions {
  transcribe(start: SessionStart): Session;
  speak(start: SessionStart): Session;
  /** The number of open sessions of this kind, or of both kinds. */
  count(kind?: SessionKind): number;
  /** Lets every session finish its work and close. Resolves when all have ended, after half a minute at the latest. */
  drain(): Promise<void>;
  /** Resolves when the kept contents of ended sessions are stored. */
  settled(): Promise<void>;
}

const DRAIN_MS = 28_000;
const PATHS: Readonly<Record<SessionKind, string>> = {
  transcription: '/v1/audio/transcriptions/ws',
  speech: '/v1/audio/speech/ws',
};

export function createAudioSessions(
  given: Omit<SessionDeps, 'contents'> & { readonly db: Database; readonly keyRevocations: KeyRevocationWatch },
): AudioSessions {
  const { keyRevocations, clock, log } = given;
  const contents = createContentWriter('session', given);
  const deps = { ...given, contents };
  const sessions = new Map<Session, SessionKind>();
  const listening = { ...deps, blocks: createBlockPool() };
  let draining: Promise<void> | undefined;

  function keep(kind: SessionKind, session: Session, { caller, traceparent }: SessionStart): Session {
    const startedAt = clock.nowMs();
    const span = deps.health.telemetry.tracing.request(session.id, traceparent);
    span?.set({ 'http.route': PATHS[kind] });
    let failure: string | undefined;
    sessions.set(session, kind);
    const unwatch = keyRevocations.watch(caller, {
      path: PATHS[kind],
      using: () => session.using(),
      onPolicy: (policy) => session.setPolicy(policy),
      onEnd: (error) => session.refuse(error),
    });
    if (draining) session.drain();
    session.ended
      .catch((error: unknown) => {
        failure = codeOf(error);
        log.error('a session did not end well', { requestId: session.id, error: errorForLog(error) });
      })
      .finally(() => {
        unwatch();
        sessions.delete(session);
        log.info('a session ended', {
          requestId: session.id,
          orgId: caller.orgId,
          keyId: caller.keyId,
          ms: clock.nowMs() - startedAt,
        });
        span?.end(failure);
      });
    return session;
  }

  async function drainAll(): Promise<void> {
    for (const session of sessions.keys()) session.drain();
    const waited = new AbortController();
    const all = Promise.allSettled([...sessions.keys()].map(({ ended }) => ended));
    await Promise.race([all, clock.sleep(DRAIN_MS, waited.signal)]);
    waited.abort();
    if (sessions.size === 0) return;
    log.warn('sessions that did not end in time are cut off', { count: sessions.size });
    for (const session of sessions.keys())
      session.refuse(new GatewayError('shutting_down', 'This instance is shutting down. Connect again.'));
  }

  return {
    transcribe: (start) => keep('transcription', startTranscription(listening, start), start),
    speak: (start) => keep('speech', startSpeech(deps, start), start),
    count: (kind) =>
      kind === undefined ? sessions.size : [...sessions.values()].filter((each) => each === kind).length,
    drain: () => (draining ??= drainAll()),
    settled: contents.settled,
  };
}
