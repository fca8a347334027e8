import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader, keptBy } from '../support/console';
import { answersEnded, openMessages, sendPrompt, sentRequest } from '../support/messages-page';

// The essentials of the messages playground; its longer scenarios are in tests/e2e.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the messages playground', () => {
  test('streams an answer, and shows its tokens and the price that was charged to the console', async () => {
    const { page, prompt, answers, context, complaints } = await openMessages(running, { model: 'sandbox-text' });
    await prompt.fill('Hello, sandbox');
    await page.getByTestId('estimate').waitFor();
    expect(await page.getByTestId('estimate').innerText()).toMatch(
      /\d+ input tokens\s+Input \$0\.\d+, at most \$0\.\d+/,
    );
    await prompt.press('Control+Enter');
    await answersEnded(page);
    expect(await answers.innerText()).toContain('The last one began: Hello, sandbox');
    const charge = page.getByTestId('charge').filter({ hasText: '$' });
    await charge.waitFor();
    const response = await fetch(`${running.product.baseUrl}/console/api/requests?mode=test&kind=message&limit=1`, {
      headers: { cookie: await cookieHeader(context) },
    });
    const { data } = (await response.json()) as { data: { cost: string; key: { id: string } }[] }; // Safe: the list of requests has this form.
    expect(data[0]?.key.id).toBe('console');
    expect(await charge.innerText()).toBe(`$${data[0]?.cost}`);
    expect(await page.getByTestId('facts').innerText()).toMatch(/\d+ in, \d+ out\s+First token \d/);
    expect(complaints).toEqual([]);
  });

  test('an invalid setting blocks the request, with the reason at the button', async () => {
    const { page, prompt, answers } = await openMessages(running, { model: 'sandbox-text' });
    await prompt.fill('Hello');
    const send = page.getByTestId('send');
    await page.getByLabel('Temperature').fill('9');
    await page.getByText('Temperature must be a number from 0 to 2.', { exact: true }).waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(await send.getAttribute('aria-describedby')).toBe('send-reason');
    await prompt.press('Control+Enter');
    expect(await answers.count()).toBe(0);
    await page.getByLabel('Temperature').fill('');
    await page.getByLabel('Tools', { exact: true }).fill('[{');
    await page
      .locator('#send-reason')
      .getByText(/^The tools are not JSON: /)
      .waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Tools', { exact: true }).fill('');
    await page.getByLabel('Max output tokens').fill('');
    await page.getByText(/^Max output tokens must be a whole number from 1 to /).waitFor();
    await page.getByLabel('Max output tokens').fill('100');
    await page.getByTestId('estimate').waitFor();
    expect(await send.isEnabled()).toBe(true);
  });

  test('a model of the URL that does not exist is named', async () => {
    const { page } = await running.open('/console/messages?mode=test&model=nope');
    await page.getByText('There is no text model “nope” here.').waitFor();
  });

  test('Escape stops the answer, and the part that was delivered is charged', async () => {
    const { page, answers, prompt } = await openMessages(running);
    await prompt.fill('Go on [[words:4000]]');
    await prompt.press('Control+Enter');
    await answers.getByText('word5').first().waitFor();
    await page.keyboard.press('Escape');
    await answersEnded(page);
    expect(await answers.getAttribute('data-state')).toBe('stopped');
    expect(await answers.innerText()).not.toContain('word4000');
    await page.getByTestId('charge').filter({ hasText: '$' }).waitFor();
  });

  test('an error in the middle is shown with what to do and the charge, and trying again repeats the request', async () => {
    const { page, answers } = await openMessages(running);
    await sendPrompt(page, 'A story [[error-mid]]');
    const alert = answers.getByRole('alert');
    expect(await alert.innerText()).toContain('The sandbox is overloaded');
    expect(await alert.innerText()).toContain('was delivered and is charged');
    await page.getByTestId('charge').filter({ hasText: '$' }).waitFor();
    const first = await sentRequest(page);
    await answers.getByRole('button', { name: 'Try again' }).click();
    await answersEnded(page);
    expect(await answers.count()).toBe(1);
    expect(await sentRequest(page)).toEqual(first);
  });

  test('a tool is called, its result is written by the person, and the answer goes on', async () => {
    const { page, answers } = await openMessages(running);
    await page.locator('[data-field="tools"]').getByRole('button', { name: 'Insert an example' }).click();
    await sendPrompt(page, 'What is the weather in Lisbon?');
    expect(await page.getByTestId('tool-call').innerText()).toContain('get_weather');
    await page.getByLabel('Result of get_weather').fill('{"degrees": 18}');
    await page.getByRole('button', { name: 'Send the result' }).click();
    await answers.nth(1).waitFor();
    await answersEnded(page);
    expect(await answers.nth(1).innerText()).toContain('Thank you for the result of the tool.');
    const { messages } = await sentRequest(page);
    expect(messages).toMatchObject([
      { role: 'user', content: 'What is the weather in Lisbon?' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', content: '{"degrees": 18}' }] },
    ]);
  });

  test('formatted text is rendered without its tags and images, and loads nothing from elsewhere', async () => {
    const { page, answers, complaints } = await openMessages(running);
    await sendPrompt(page, 'Show me [[markdown]]');
    await answers.getByText('Formatted text').waitFor();
    expect(await answers.getByRole('table').getByRole('cell').allInnerTexts()).toEqual([
      'input',
      '$0.10',
      'output',
      '$0.40',
    ]);
    expect(await answers.innerText()).toContain('<b>A tag</b>');
    expect(await answers.locator('img, b, script').count()).toBe(0);
    const link = answers.getByRole('link', { name: 'link' });
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      'noopener noreferrer nofollow',
      '_blank',
    ]);
    expect(complaints).toEqual([]);
  });

  test('two models answer the same prompt side by side, each with its own price and speed', async () => {
    const { page, answers } = await openMessages(running);
    await page.getByRole('switch', { name: 'Compare with another model' }).click();
    await page.getByLabel('Prompt', { exact: true }).fill('Compare this');
    await expect.poll(() => page.getByTestId('estimate').count()).toBe(2);
    await page.getByTestId('send').click();
    await answersEnded(page);
    expect(await answers.count()).toBe(2);
    await expect.poll(() => page.getByTestId('charge').filter({ hasText: '$' }).count()).toBe(2);
    const models = new Set(await answers.evaluateAll((all) => all.map((answer) => answer.getAttribute('aria-label'))));
    expect(models.size).toBe(2);
  });

  test('the conversation survives a reload of the tab, and is in no other tab', async () => {
    const { page, answers, context } = await openMessages(running);
    await sendPrompt(page, 'Remember me');
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('messages-playground'))).toContain('scripted');
    await page.reload();
    await answers.getByText('The last one began: Remember me').waitFor();
    expect(await keptBy(page)).not.toMatch(/pb_(?:live|test)_[0-9A-Za-z]{20}/);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByText('Talk to').waitFor();
    expect(await other.getByTestId('answer').count()).toBe(0);
  });

  test('a viewer can look at the page and send nothing', async () => {
    const { context } = await running.signIn({ as: running.product.person });
    const { page } = await openMessages(running, {}, { storageState: await context.storageState() });
    await page.getByLabel('Prompt', { exact: true }).fill('Hello');
    expect(await page.getByTestId('send').isDisabled()).toBe(true);
    await page.getByText('Your role cannot send messages.').waitFor();
  });
});
