import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server';

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.close());

describe('the scripted model', () => {
  const client = () => new Anthropic({ baseURL: server.baseUrl, apiKey: server.firstRun.keys.test, maxRetries: 0 });
  it('answers as a whole', async () => {
    const message = await client().messages.create({ model: 'sandbox-text', max_tokens: 500, messages: [{ role: 'user', content: 'Hello there' }] });
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model: 'sandbox-text', stop_reason: 'end_turn' });
    console.log(JSON.stringify(message));
    await server.gateway.messages.settled();
    const { rows } = await server.db.query('select * from messages');
    console.log(rows);
  });
  it('streams', async () => {
    const message = await client().messages.stream({ model: 'claude-sonnet-5-5', max_tokens: 500, messages: [{ role: 'user', content: 'Hello there' }], tools: [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }] }).finalMessage();
    console.log(JSON.stringify(message));
    expect(message.stop_reason).toBe('tool_use');
  });
  it('counts', async () => {
    console.log(await client().messages.countTokens({ model: 'claude-sonnet-5-5', messages: [{ role: 'user', content: 'Hello there' }] }));
  });
});
