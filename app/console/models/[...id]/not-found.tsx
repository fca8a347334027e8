import type { Metadata } from 'next';
import Link from 'next/link';
import { buttonClass } from '../../components/ui/button-class';
import { StatusPage } from '../../components/ui/status-page';
import { paths } from '../../paths';

export const metadata: Metadata = { title: 'Model not found' };

export default function ModelNotFound() {
  return (
    <StatusPage
      framed
      title="There is no such model"
      description="The id may be mistyped, or this installation does not have the model. The catalog lists all models."
    >
      <Link href={paths.models()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Go to the models
      </Link>
    </StatusPage>
  );
}
