import type { Metadata } from 'next';
import { mayChange } from '../../../../lib/domain/roles';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { VideoView } from '../video-view';
import { readOrNotFound } from '../../components/shell/read-or-not-found';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths } from '../../paths';

interface VideoPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: VideoPageProps): Promise<Metadata> {
  return { title: `Video ${(await params).id.slice(0, 14)}` };
}

export default async function VideoPage({ params }: VideoPageProps) {
  const { id } = await params;
  const person = await requirePerson(paths.video(id));
  const { videos, baseUrl, clock } = gateway();
  const video = await readOrNotFound('video_not_found', async () =>
    videos.details(await videos.accountOf(person.orgId, id), id),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <VideoView key={video.id} video={video} baseUrl={baseUrl} mayEdit={mayChange(person, 'edit')} />
      </NowProvider>
    </Shell>
  );
}
