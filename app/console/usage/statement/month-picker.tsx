'use client';

import { Printer } from 'lucide-react';
import { usePageTransition } from '../../components/shell/page-transition';
import { Button } from '../../components/ui/button';
import { Select } from '../../components/ui/select';
import { paths } from '../../paths';
import { periodLabel } from '../usage-periods';

/** Chooses the month of the statement, and prints it. */
export function MonthPicker({ month, months }: { readonly month: string; readonly months: readonly string[] }) {
  const { go } = usePageTransition();
  const shown = months.includes(month) ? months : [month, ...months];
  return (
    <>
      <Select
        label="Month"
        value={month}
        onChange={(wanted) => go(paths.statement(wanted), 'Statement')}
        options={shown.map((each) => ({ value: each, label: periodLabel(`${each}-01`, 'month') }))}
        className="w-36"
      />
      <Button size="small" onClick={() => window.print()}>
        <Printer size={13} aria-hidden="true" /> Print
      </Button>
    </>
  );
}
