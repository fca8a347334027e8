import { errorForLog, GatewayError } from '../domain/errors';
import type { KeyRevocationWatch } from '../accounts/key-revocation-watch';
import type { Session, SessionDeps, SessionStart } from './session';
import { createBlockPool } from './sound-store';
import { startSpeech } from './speech-session';
import { startTranscription } from './transcription-session';

// All sessions of this process: revocation of their keys, and their end when the process stops.

export interface AudioSessions {
  transcribe(start: SessionStart): Session;
  speak(start: SessionStart): Session;
  count(): number;
  /** Every session finishes its work and closes. Resolves when all have ended, at the latest after half a minute. */
  drain(): Promise<void>;
}

const DRAIN_MS = 28_000;

export function createAudioSessions(
  deps: SessionDeps & { readonly keyRevocations: KeyRevocationWatch },
): AudioSessions {
  const { keyRevocations, clock, log } = deps;
  const sessions = new Set<Session>();
  const listening = { ...deps, blocks: createBlockPool() };
  let draining: Promise<void> | undefined;

  function keep(path: string, session: Session, { caller }: SessionStart): Session {
    const startedAt = clock.nowMs();
    sessions.add(session);
    const unwatch = keyRevocations.watch(caller, {
      path,
      using: () => session.using(),
      onPolicy: (policy) => session.setPolicy(policy),
      onEnd: (error) => session.refuse(error),
    });
    if (draining) session.drain();
    session.ended
      .catch((error: unknown) =>
        log.error('a session did not end well', { requestId: session.id, error: errorForLog(error) }),
      )
      .finally(() => {
        unwatch();
        sessions.delete(session);
        log.info('a session ended', {
          requestId: session.id,
          orgId: caller.orgId,
          keyId: caller.keyId,
          ms: clock.nowMs() - startedAt,
        });
      });
    return session;
  }

  async function drainAll(): Promise<void> {
    for (const session of sessions) session.drain();
    const waited = new AbortController();
    const all = Promise.allSettled([...sessions].map(({ ended }) => ended));
    await Promise.race([all, clock.sleep(DRAIN_MS, waited.signal)]);
    waited.abort();
    if (sessions.size === 0) return;
    log.warn('sessions that did not end in time are cut off', { count: sessions.size });
    for (const session of sessions)
      session.refuse(new GatewayError('shutting_down', 'This instance is shutting down. Connect again.'));
  }

  return {
    transcribe: (start) => keep('/v1/audio/transcriptions/ws', startTranscription(listening, start), start),
    speak: (start) => keep('/v1/audio/speech/ws', startSpeech(deps, start), start),
    count: () => sessions.size,
    drain: () => (draining ??= drainAll()),
  };
}
