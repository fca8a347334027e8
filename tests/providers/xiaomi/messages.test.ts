import { xiaomi } from '../../../lib/providers/xiaomi/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'xiaomi',
  () => makeMessagesSubject(xiaomi, 'XIAOMI', () => startFakeCompatibleVendor({ path: '/anthropic/v1/messages' })),
  { has, errors: compatibleErrors },
);
