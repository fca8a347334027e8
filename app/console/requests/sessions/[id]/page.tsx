import type { Metadata } from 'next';
import { gateway } from '../../../../../lib/runtime';
import { requirePerson } from '../../../components/auth/current-person';
import { Shell } from '../../../components/shell/shell';
import { NowProvider } from '../../../components/ui/now';
import { paths } from '../../../paths';
import { SessionView } from '../../session-view';
import { readWithContent } from '../../read-with-content';

interface SessionPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: SessionPageProps): Promise<Metadata> {
  return { title: `Session ${(await params).id.slice(0, 14)}` };
}

export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  const person = await requirePerson(paths.session(id));
  const { requests, clock } = gateway();
  const [session, content] = await readWithContent(
    'session_not_found',
    () => requests.session(person.orgId, id),
    (of) => requests.sessionContent(person.orgId, of),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <SessionView key={session.id} session={session} content={content} />
      </NowProvider>
    </Shell>
  );
}
