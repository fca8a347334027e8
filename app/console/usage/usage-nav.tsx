import { SectionNav } from '../components/shell/section-nav';
import { paths } from '../paths';

const PAGES = [
  { title: 'Usage', path: paths.usage() },
  { title: 'Ledger', path: paths.ledger() },
  { title: 'Statement', path: paths.statement() },
  { title: 'Alerts', path: paths.alerts() },
] as const;

/** The pages about usage and billing. */
export function UsageNav() {
  return <SectionNav label="Usage and billing" pages={PAGES} />;
}
