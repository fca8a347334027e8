import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../lib/contract/csv';

describe('a line of CSV', () => {
  it('quotes what has a comma, a quote or a line break, and leaves absent values empty', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\nlines', null, undefined, 3])).toBe(
      '"a,b","say ""x""","two\nlines",,,3\r\n',
    );
  });

  it('prevents a spreadsheet from running a text as a formula, and leaves amounts as they are', () => {
    expect(csvLine(['=1+1', '+cmd', '-2+3', '@x', '\tx', '-0.25', '12.5'])).toBe(
      `'=1+1,'+cmd,'-2+3,'@x,'\tx,-0.25,12.5\r\n`,
    );
  });
});
