import { deepseek } from '../../../lib/providers/deepseek/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'deepseek',
  () =>
    makeMessagesSubject(
      deepseek,
      'DEEPSEEK',
      () => startFakeCompatibleVendor({ replay: true, path: '/anthropic/v1/messages' }),
      { binding: { thinkingReplay: true } },
    ),
  { has, errors: compatibleErrors },
);
