import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { startSpeechPage, type SpeechPage } from '../support/page-speech';
import { openSocket } from '../support/socket-client';

// The essentials of the speech playground; its longer scenarios are in tests/e2e.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let speech: SpeechPage;

describe.skipIf(skipReason)('the speech playground', () => {
  beforeAll(async () => {
    speech = await startSpeechPage();
  }, 300_000);
  afterAll(async () => {
    await speech?.close();
  });

  it('shows interim text during speech, replaces it with the final text, and shows the totals at the end', async () => {
    await speech.page.getByRole('button', { name: 'Start listening' }).click();
    const interim = speech.page.locator('[data-interim]');
    await interim.waitFor({ timeout: 60_000 });
    expect((await interim.textContent())?.length).toBeGreaterThan(0);
    const final = speech.page.locator('[data-final]').first();
    await final.waitFor({ timeout: 60_000 });
    expect((await final.textContent())?.toLowerCase()).toMatch(/walk in the park|my dog/);
    // Each word shows its times and plays the recording.
    expect(await final.getByRole('button').first().getAttribute('title')).toMatch(/^\d\.\d\d – \d\.\d\d s$/);
    await speech.page.getByRole('button', { name: 'Stop' }).click();
    await speech.page.getByTestId('totals').waitFor({ timeout: 20_000 });
    const facts = speech.page.getByRole('region', { name: 'Speech to text' });
    for (const figure of ['First interim', 'Final text'])
      expect(await facts.getByText(figure, { exact: true }).locator('..').textContent()).toMatch(/\d (ms|s)$/);
    expect(Number(await speech.page.getByTestId('level').getAttribute('data-level'))).toBeGreaterThanOrEqual(0);
    await facts
      .getByTestId('charged')
      .getByText(/^\$0\.0/)
      .waitFor({ timeout: 20_000 });
    await speech.page.getByRole('button', { name: 'Start listening' }).waitFor();
    expect(await speech.page.getByRole('alert').allTextContents()).not.toContain('The connection was lost.');
  }, 180_000);

  it('is audible before done, goes silent at cancel, and a new text replaces the old one', async () => {
    // As text, because the test runner rewrites imports.
    await speech.page.evaluate(`import('/audio/patchbay-audio.js').then((library) => Object.assign(window, library))`);
    const heard = await speech.page.evaluate(async () => {
      // Safe: the line above sets it.
      const { openSpeaker } = window as unknown as typeof import('../../public/audio/patchbay-audio');
      const ticket = async () => {
        const response = await fetch('/console/api/socket-tickets', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path: '/v1/audio/speech/ws', mode: 'test' }),
        });
        return ((await response.json()) as { ticket: string }).ticket;
      };
      const contexts: string[] = [];
      const speaker = await openSpeaker({
        url: '/v1/audio/speech/ws',
        token: ticket,
        onChunk: ({ contextId }) => contexts.push(contextId),
      });
      const text = {
        model: 'sandbox-tts',
        voice: 'rms',
        input:
          'One sentence after the other. This is the second one. And this is the third one, which is a little longer.',
      };
      let isDone = false;
      const first = speaker.speak(text).then((end) => {
        isDone = true;
        return end;
      });
      const loud = async () => {
        for (let look = 0; look < 500; look++) {
          if (speaker.level() > 0.01) return true;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return false;
      };
      const wasLoud = await loud();
      const wasDone = isDone;
      const cancelledAt = performance.now();
      speaker.cancel();
      const end = await first;
      while (speaker.level() > 0.001) await new Promise((resolve) => setTimeout(resolve, 5));
      const silentAfterMs = performance.now() - cancelledAt;
      const second = speaker.speak({
        ...text,
        input: 'A first short text that is never finished because of the next one.',
      });
      await loud();
      const third = speaker.speak({ ...text, input: 'Hello.' });
      const ends = [await second, await third];
      await speaker.close();
      return { wasLoud, wasDone, end, silentAfterMs, ends, contexts: new Set(contexts).size };
    });
    expect(heard).toMatchObject({
      wasLoud: true,
      wasDone: false,
      end: 'cancelled',
      ends: ['cancelled', 'played'],
      contexts: 3,
    });
    expect(heard.silentAfterMs).toBeLessThan(1_000);
  }, 120_000);

  it('at the credit cut-off shows the sentence, and no useless action', async () => {
    const sentence =
      'Credit budget exhausted: the estimated cost reached 90 % of the remaining credits. For more credits, ask the operator of this installation.';
    const own = await speech.openPage((page) =>
      page.routeWebSocket(/transcriptions/, (socket) => {
        socket.onMessage((message) => {
          if (typeof message !== 'string') return;
          socket.send('{"type":"session_started","session_id":"session_1"}');
          socket.send('{"type":"transcript","text":"Half a sentence","is_final":true}');
          socket.send(JSON.stringify({ type: 'error', message: sentence, code: 402 }));
          void socket.close({ code: 4402, reason: 'insufficient_credits' });
        });
      }),
    );
    await own.getByRole('button', { name: 'Start listening' }).click();
    await own.getByRole('alert').getByText(sentence).waitFor();
    expect(await own.locator('[data-final]').allTextContents()).toEqual(['Half a sentence ']);
    expect(await own.getByRole('button', { name: 'Connect again' }).count()).toBe(0);
    await own.close();
  }, 120_000);

  it('puts only a ticket into a URL, and a used ticket opens nothing', async () => {
    expect(speech.sockets.length).toBeGreaterThan(1);
    for (const url of speech.sockets) expect(new URL(url).searchParams.get('token')).toMatch(/^wst_/);
    const again = openSocket(speech.sockets[0]!, {});
    expect(await again.next()).toMatchObject({ type: 'error', code: 401 });
  });
});
