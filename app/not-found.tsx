import type { Metadata } from 'next';
import { StatusPage } from './console/_ui/status-page';
import { buttonClass } from './console/_ui/button';
import { paths } from './console/paths';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <StatusPage title="Nothing is plugged in here" says="The address may be mistyped, or what was here has been removed.">
      {/* Not a soft navigation: this page may have come from outside the console. */}
      <a href={paths.overview()} className={buttonClass({ look: 'primary' })}>
        Go to the overview
      </a>
    </StatusPage>
  );
}
