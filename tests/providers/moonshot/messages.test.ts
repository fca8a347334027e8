import { moonshot } from '../../../lib/providers/moonshot/index';
import { startFakeChatUpstream } from '../../support/upstreams/fake-chat-upstream';
import { messagesContract } from '../contract/messages';
import { chatErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'moonshot',
  () =>
    makeMessagesSubject(moonshot, 'MOONSHOT', () => startFakeChatUpstream({ replay: true }), {
      binding: { modelName: 'kimi-k2.6', thinkingReplay: true },
    }),
  { has, errors: chatErrors },
);
