import { SectionNav } from '../components/shell/section-nav';
import { paths } from '../paths';

/** The pages about the installation. */
export function InstallationNav() {
  return (
    <SectionNav
      label="Installation"
      pages={[
        { title: 'Organisations', path: paths.installation() },
        { title: 'Providers', path: paths.installedProviders() },
        { title: 'Status', path: paths.installationStatus() },
        { title: 'Operators', path: paths.operators() },
        { title: 'Log', path: paths.operatorLog() },
      ]}
    />
  );
}
