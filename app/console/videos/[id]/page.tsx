import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { isGatewayError } from '../../../../lib/domain/errors';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { VideoView } from '../video-view';
import { readQuietly } from '../../components/shell/read-quietly';
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
  // Videos of other organisations are treated as missing.
  const video = await readQuietly(async () => {
    try {
      return await videos.details(await videos.accountOf(person.orgId, id), id);
    } catch (error) {
      if (isGatewayError(error) && error.code === 'video_not_found') return undefined;
      throw error;
    }
  });
  if (!video) notFound();

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <VideoView key={video.id} video={video} baseUrl={baseUrl} mayEdit={person.role !== 'viewer'} />
      </NowProvider>
    </Shell>
  );
}
