import { zai } from '../../../lib/providers/zai/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'zai',
  () =>
    makeMessagesSubject(zai, 'ZAI', () =>
      startFakeCompatibleVendor({ strictResults: true, path: '/api/anthropic/v1/messages' }),
    ),
  { has, errors: compatibleErrors },
);
