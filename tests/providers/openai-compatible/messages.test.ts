import { openaiCompatible } from '../../../lib/providers/openai-compatible/index';
import { startFakeChatUpstream } from '../../support/upstreams/fake-chat-upstream';
import { messagesContract } from '../contract/messages';
import { chatErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'openai-compatible',
  () => makeMessagesSubject(openaiCompatible, 'OPENAI_COMPATIBLE', () => startFakeChatUpstream(), { below: '/v1' }),
  { has, errors: chatErrors },
);
