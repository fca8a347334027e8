import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { sockets } from '../../../../lib/contract/sockets';
import { ticketPaths } from '../../../../lib/contract/sign-in';
import { createAsyncApi } from '../../../../lib/http/documents/asyncapi';
import { lintDocument } from '../../../support/lint-document';

const document = createAsyncApi({ baseUrl: 'https://patchbay.test', version: '1.2.3' });

describe('the AsyncAPI document', () => {
  it('has no mistake that a linter finds', async () => {
    expect(await lintDocument(document)).toEqual([]);
  });

  it('has a channel for every socket, with its messages in both directions', () => {
    expect(sockets.map(({ path }) => path)).toEqual([...ticketPaths]);
    expect(document.channels).toMatchObject({
      transcription: {
        address: '/v1/audio/transcriptions/ws',
        messages: { configure: {}, audio: {}, stop: {}, session_started: {}, transcript: {}, done: {}, error: {} },
      },
      speech: { address: '/v1/audio/speech/ws', messages: { tts: {}, cancel: {}, audio: {}, done: {}, error: {} } },
    });
    expect(document.operations).toMatchObject({
      receiveSpeech: { action: 'receive', messages: [{}, {}] },
      sendSpeech: { action: 'send', messages: [{}, {}, {}] },
    });
  });

  it('names the server with the protocol of the installation', () => {
    expect(document.servers).toMatchObject({ installation: { host: 'patchbay.test', protocol: 'wss' } });
    const local = createAsyncApi({ baseUrl: 'http://127.0.0.1:3000', version: '0' });
    expect(local.servers).toMatchObject({ installation: { host: '127.0.0.1:3000', protocol: 'ws' } });
  });

  it('has examples that its schemas and those of the sockets accept', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'asyncapi');
    const examples = sockets.flatMap(({ name, input, output }) =>
      [input, output].flatMap(({ schema, described }) =>
        Object.entries(described).map(([type, { example }]) => ({ name: `${name} ${type}`, schema, example })),
      ),
    );
    expect(examples).toHaveLength(11);
    for (const { name, schema, example } of examples)
      expect([name, schema.safeParse(example).error]).toEqual([name, undefined]);
    const { messages } = document.components;
    for (const [name, message] of Object.entries(messages)) {
      // Safe: the document is ours.
      const { payload, examples: shown } = message as { payload: object; examples?: { payload: unknown }[] };
      if (!shown || !('$ref' in payload)) continue;
      const validate = ajv.getSchema(`asyncapi${String(payload.$ref)}`);
      for (const each of shown) expect([name, validate?.(each.payload)]).toEqual([name, true]);
    }
  });
});
