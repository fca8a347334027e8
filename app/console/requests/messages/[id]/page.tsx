import type { Metadata } from 'next';
import { gateway } from '../../../../../lib/runtime';
import { requirePerson } from '../../../components/auth/current-person';
import { Shell } from '../../../components/shell/shell';
import { NowProvider } from '../../../components/ui/now';
import { paths } from '../../../paths';
import { MessageView } from '../../message-view';
import { readWithContent } from '../../read-with-content';

interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: MessagePageProps): Promise<Metadata> {
  return { title: `Message ${(await params).id.slice(0, 14)}` };
}

export default async function MessagePage({ params }: MessagePageProps) {
  const { id } = await params;
  const person = await requirePerson(paths.message(id));
  const { requests, messages, clock } = gateway();
  const [message, content] = await readWithContent(
    'message_not_found',
    () => requests.message(person.orgId, id),
    (of) => messages.content(person.orgId, of),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <MessageView key={message.id} message={message} content={content} />
      </NowProvider>
    </Shell>
  );
}
