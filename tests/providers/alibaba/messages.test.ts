import { alibaba } from '../../../lib/providers/alibaba/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'alibaba',
  () =>
    makeMessagesSubject(alibaba, 'ALIBABA', () => startFakeCompatibleVendor({ path: '/apps/anthropic/v1/messages' })),
  { has, errors: compatibleErrors },
);
