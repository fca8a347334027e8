import type { Role } from '../../../lib/domain/caller';
import { may } from '../../../lib/domain/roles';
import { SectionNav } from '../components/shell/section-nav';
import { paths } from '../paths';

/** The pages about the organisation, as far as the role may see them. */
export function OrganizationNav({ role }: { readonly role: Role }) {
  return (
    <SectionNav
      label="Organisation"
      pages={[
        { title: 'Members', path: paths.members() },
        ...(may(role, 'auditLog') ? [{ title: 'Audit log', path: paths.auditLog() }] : []),
        { title: 'Settings', path: paths.settings() },
      ]}
    />
  );
}
