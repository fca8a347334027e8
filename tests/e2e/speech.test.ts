import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { startSpeechPage, type SpeechPage } from '../support/page-speech';

// The longer scenarios of the speech playground: no microphone, silence, and a server that dies.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let speech: SpeechPage;

describe.skipIf(skipReason)('the speech playground: longer scenarios', () => {
  beforeAll(async () => {
    speech = await startSpeechPage();
  }, 300_000);
  afterAll(async () => {
    await speech?.close();
  });

  it('speaks from the page, and shows the latency', async () => {
    await speech.page.getByRole('button', { name: 'Speak' }).click();
    await speech.page.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await speech.page.getByRole('button', { name: 'Cancel' }).click();
    await speech.page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  }, 40_000);

  it.each([
    ['NotAllowedError', 'The microphone was not allowed.'],
    ['NotFoundError', 'No microphone was found.'],
  ])(
    'A-02 without a microphone (%s) says so, and still transcribes a sample recording',
    async (name, sentence) => {
      const own = await speech.openPage((page) =>
        page.addInitScript((error) => {
          navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', error));
        }, name),
      );
      await own.getByRole('button', { name: 'Start listening' }).click();
      await own.getByRole('alert').getByText(sentence).waitFor();
      await own.getByRole('button', { name: 'Use a sample recording' }).click();
      const final = own.locator('[data-final]').first();
      await final.waitFor({ timeout: 60_000 });
      expect((await final.textContent())?.toLowerCase()).toMatch(/walk in the park|my dog/);
      await own.getByTestId('totals').waitFor({ timeout: 20_000 });
      expect(await own.getByRole('alert').allTextContents()).not.toContain(sentence);
      await own.close();
    },
    180_000,
  );

  it('A-08 counts down from 45 seconds of silence, and stops counting at the next speech', async () => {
    const own = await speech.openPage((page) => page.clock.install());
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await own.getByRole('button', { name: 'Cancel' }).click();
    await own.clock.fastForward(44_000);
    expect(await own.getByText('the connection closes in').count()).toBe(0);
    await own.clock.fastForward(3_000);
    await own.getByText(/the connection closes in 1\d s/).waitFor();
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await own.clock.fastForward(1_000);
    await own.getByText('the connection closes in').waitFor({ state: 'detached' });
    await own.close();
  }, 180_000);

  it('A-05 says that the connection was lost when the server dies in the middle, and reconnects on request', async () => {
    await speech.page.getByRole('button', { name: 'Start listening' }).click();
    await speech.page.locator('[data-interim]').waitFor({ timeout: 60_000 });
    await speech.product.crash();
    await speech.page.getByRole('alert').getByText('The connection was lost.').waitFor();
    await speech.product.startAgain();
    await speech.page.getByRole('button', { name: 'Connect again' }).click();
    await speech.page.getByRole('button', { name: 'Stop' }).waitFor({ timeout: 20_000 });
    await speech.page.locator('[data-interim]').waitFor({ timeout: 60_000 });
    expect(await speech.page.getByRole('button', { name: 'Connect again' }).count()).toBe(0);
  }, 240_000);
});
