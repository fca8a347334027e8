import Link from 'next/link';
import { buttonClass } from '../ui/button-class';
import { StatusPage } from '../ui/status-page';

/** Shown inside the frame if the object that the URL names does not exist. `href` leads to the list of such objects. */
export function NotFoundPage({
  title,
  description,
  href,
  linkText,
}: {
  readonly title: string;
  readonly description: string;
  readonly href: string;
  readonly linkText: string;
}) {
  return (
    <StatusPage framed title={title} description={description}>
      <Link href={href} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        {linkText}
      </Link>
    </StatusPage>
  );
}
