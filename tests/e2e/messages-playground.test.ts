import { describe, expect, test } from 'vitest';
import { allModels } from '../../lib/catalog/models';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { answersEnded, openMessages, PIXEL, sendPrompt, sentRequest } from '../support/messages-page';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// The longer scenarios of the messages playground.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the messages playground: longer scenarios', () => {
  test('shows exactly the parameters that each kind of model has', async () => {
    const { page } = await openMessages(running);
    const textModels = allModels.filter(
      (model) => model.capability === 'messages' && model.deactivatedAt === undefined,
    );
    const kinds = new Map(
      textModels.flatMap((model) =>
        model.capability === 'messages'
          ? [
              [
                JSON.stringify([
                  model.messages.sampling,
                  model.messages.thinkingTypes,
                  model.messages.efforts,
                  model.messages.structuredOutputs,
                ]),
                model,
              ] as const,
            ]
          : [],
      ),
    );
    expect(kinds.size).toBeGreaterThan(2);
    for (const { id, messages: facts } of kinds.values()) {
      await page.goto(`${running.product.baseUrl}/console/messages?mode=test&model=${encodeURIComponent(id)}`);
      await page.locator('[data-field="max_tokens"]').first().waitFor();
      const has = async (field: string) => (await page.locator(`[data-field="${field}"]`).count()) > 0;
      expect([
        id,
        await has('temperature'),
        await has('top_k'),
        await has('thinking'),
        await has('effort'),
        await has('output_config.format'),
      ]).toEqual([
        id,
        facts.sampling,
        facts.sampling,
        facts.thinkingTypes.some((type) => type !== 'disabled'),
        facts.efforts.length > 0,
        facts.structuredOutputs,
      ]);
    }
  });

  test('images are picked, dropped and pasted; a wrong one is refused with a sentence', async () => {
    const { page, answers } = await openMessages(running, { model: 'sandbox-text' });
    const bytes = Buffer.from(PIXEL, 'base64');
    await page.getByLabel('Add images').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: bytes });
    for (const name of ['drop', 'paste'])
      await page.getByLabel('Prompt', { exact: true }).evaluate(
        (field, { kind, base64 }) => {
          const file = new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], `${kind}.png`, {
            type: 'image/png',
          });
          const data = new DataTransfer();
          data.items.add(file);
          const init = { bubbles: true, cancelable: true };
          field.dispatchEvent(
            kind === 'drop'
              ? new DragEvent('drop', { ...init, dataTransfer: data })
              : new ClipboardEvent('paste', { ...init, clipboardData: data }),
          );
        },
        { kind: name, base64: PIXEL },
      );
    const images = page.getByRole('list', { name: 'Images' }).getByRole('listitem');
    await expect.poll(() => images.count()).toBe(3);
    await page.getByRole('button', { name: 'Remove image 3' }).click();
    await page
      .getByLabel('Add images')
      .setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
    await page.getByText('“notes.pdf” is not an image that models accept.').waitFor();
    await page
      .getByLabel('Add images')
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(6 * 1024 * 1024) });
    await page.getByText('an image can have at most 5 MB').waitFor();
    expect(await images.count()).toBe(2);
    await sendPrompt(page, 'What is this?');
    expect(await answers.innerText()).toContain('There was an image');
    const { messages } = await sentRequest(page);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          ...[1, 2].map(() => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } })),
          { type: 'text', text: 'What is this?' },
        ],
      },
    ]);
  });

  test('thinking is folded, and structured output is shown as JSON', async () => {
    const { page, answers } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByRole('button', { name: 'Thinking', exact: true }).click();
    await sendPrompt(page, 'Think first');
    const thinking = answers.getByTestId('thinking');
    expect(await thinking.evaluate((element: HTMLDetailsElement) => element.open)).toBe(false);
    await thinking.locator('summary').click();
    await thinking.getByText('This is scripted thinking.').waitFor();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('button', { name: 'Structured output' }).click();
    await sendPrompt(page, 'A boat');
    const shown = await answers.getByRole('region', { name: 'Code: json' }).innerText();
    expect(Object.keys(JSON.parse(shown) as object)).toEqual(['title', 'tags']);
  });

  test('an earlier prompt is edited and sent again; a later turn is removed', async () => {
    const { page, answers } = await openMessages(running, { model: 'sandbox-text' });
    await sendPrompt(page, 'First question');
    await sendPrompt(page, 'Second question');
    expect(await answers.count()).toBe(2);
    await page.getByRole('button', { name: 'Edit prompt 1' }).click();
    await page.getByLabel('Edit the prompt').fill('Another question');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => answers.count()).toBe(1);
    await answersEnded(page);
    expect(await answers.innerText()).toContain('It received 1 message. The last one began: Another question');
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await answersEnded(page);
    expect((await sentRequest(page))['messages']).toEqual([{ role: 'user', content: 'Another question' }]);
  });

  test('each of two answers is stopped on its own', async () => {
    const { page, answers, prompt } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByRole('switch', { name: 'Compare with another model' }).click();
    await prompt.fill('Both of you [[words:600]]');
    await prompt.press('Control+Enter');
    await answers.first().getByText('word3').waitFor();
    await answers
      .first()
      .getByRole('button', { name: /^Stop / })
      .click();
    await answersEnded(page);
    expect(await answers.evaluateAll((all) => all.map((answer) => answer.getAttribute('data-state')))).toEqual([
      'stopped',
      'done',
    ]);
  });

  test('invalid tools and schemas are named at once, and nothing is sent with them', async () => {
    const { page, prompt, answers } = await openMessages(running, { model: 'sandbox-text' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/console/api/messages')
        sent.push(request.url());
    });
    await page.getByLabel('Tools', { exact: true }).fill('[{"name": "a"}]');
    await page.locator('p[id$="-note"]', { hasText: 'a needs an input_schema' }).waitFor();
    await page.locator('#send-reason').getByText('a needs an input_schema').waitFor();
    await prompt.fill('Hello');
    expect(await page.getByTestId('send').isDisabled()).toBe(true);
    await prompt.press('Control+Enter');
    expect([await answers.count(), sent]).toEqual([0, []]);
  });

  test('a request that is refused says why, and that nothing was charged', async () => {
    const { page, answers } = await openMessages(running, { model: 'sandbox-text' });
    await sendPrompt(page, 'No [[moderated-input]]');
    expect(await answers.getByRole('alert').innerText()).toContain('The sandbox refused this content');
    await answers.getByText('Not charged').waitFor();
  });

  test('a link opens the same request in another browser, and its answer is not in it', async () => {
    const { page } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByLabel('System prompt').fill('Be kind.');
    await sendPrompt(page, 'Share this, please');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Link copied').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect([link.search, link.hash.startsWith('#request=')]).toEqual(['', true]);
    const opened = await openMessages(running, { hash: link.hash });
    await expect.poll(() => opened.prompt.inputValue()).toBe('Share this, please');
    expect(await opened.page.getByLabel('System prompt').inputValue()).toBe('Be kind.');
    expect([await opened.answers.count(), new URL(opened.page.url()).hash]).toEqual([0, '']);
  });

  test('a damaged link and one that would be too long are explained', async () => {
    const { page, prompt } = await openMessages(running, { hash: '#request=nonsense' });
    await page.getByText('The request of this link cannot be read').waitFor();
    await prompt.fill(
      Array.from({ length: 60_000 }, (_, index) => ((index * 2_654_435_761) % 4_294_967_296).toString(36)).join(' '),
    );
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('This request is too large for a link').waitFor();
  });

  test('a pasted request fills the page', async () => {
    const { page, prompt } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByRole('button', { name: 'View code' }).click();
    await page
      .getByLabel('Paste a request')
      .fill('{"model":"sandbox-text","max_tokens":50,"metadata":{},"messages":[{"role":"user","content":"Pasted"}]}');
    await page.getByRole('button', { name: 'Open the request' }).click();
    await expect.poll(() => prompt.inputValue()).toBe('Pasted');
    await page.getByText('metadata: the page has no control for it.').waitFor();
  });

  test('a screen reader hears the answer once, at its end', async () => {
    const { page, prompt } = await openMessages(running, { model: 'sandbox-text' });
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      new MutationObserver(() => {
        heard.push(document.querySelector('[data-testid="announcement"]')?.textContent ?? '');
      }).observe(document.querySelector('[data-testid="announcement"]')!, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    await prompt.fill('Speak [[words:50]]');
    await prompt.press('Control+Enter');
    await answersEnded(page);
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    await expect.poll(heard).toHaveLength(2);
    expect(await heard()).toEqual(['The model answers.', expect.stringMatching(/^Answer: This is the sandbox/)]);
  });

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('at %i px in the %s theme nothing overflows and axe finds nothing', async (width, colorScheme) => {
    const { page } = await openMessages(
      running,
      { model: 'sandbox-text' },
      { viewport: { width, height: 900 }, colorScheme },
    );
    await sendPrompt(page, 'Show me [[markdown]]');
    await sendPrompt(page, 'Now fail [[error-mid]]');
    await page.getByTestId('wire').last().locator('summary').click();
    expect([await widerThanWindow(page), await seriousFindings(page)]).toEqual([[], []]);
    if (width > 1_000) return;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByLabel('System prompt').waitFor();
    expect([await widerThanWindow(page), await seriousFindings(page)]).toEqual([[], []]);
  });

  test('the page of a text model leads here, with its provider', async () => {
    const { page } = await running.open('/console/models/sandbox/sandbox-text?mode=test');
    await page.getByRole('link', { name: 'Try it in Messages' }).click();
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    expect(new URL(page.url()).searchParams.get('model')).toBe('sandbox/sandbox-text');
  });
});
