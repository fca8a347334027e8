import Link from 'next/link';
import { buttonClass } from '../components/ui/button-class';
import { StatusPage } from '../components/ui/status-page';
import { paths } from '../paths';

/** `noun`: "Message" or "Session". */
export function RequestNotFound({ noun }: { readonly noun: string }) {
  return (
    <StatusPage
      framed
      title={`${noun} not found`}
      description={`The id may be mistyped, the ${noun.toLowerCase()} may be older than the log, or it belongs to another organisation.`}
    >
      <Link href={paths.requests()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Go to the requests
      </Link>
    </StatusPage>
  );
}
