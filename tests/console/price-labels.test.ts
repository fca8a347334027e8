import { describe, expect, it } from 'vitest';
import {
  calculationLabel,
  perMillionLabel,
  priceLabel,
  priceRangeLabel,
  priceUnitLabels,
  priceUnitTitles,
} from '../../app/console/components/price/price-labels';
import { priceUnits } from '../../lib/catalog/price-span';
import { parsePrice } from '../../lib/domain/money';

const line = (quantity: string, unit_price: string) => ({ label: 'line', quantity, unit_price, amount: '0' });

describe('a price in the console', () => {
  it('is one amount if the lowest and the highest are equal, otherwise a range', () => {
    expect(priceLabel({ unit: 'second', lowest: '0.4', highest: '0.4' })).toBe('$0.40 / second');
    expect(priceLabel({ unit: 'clip', lowest: '0.084', highest: '0.42' })).toBe('$0.084 – $0.42 / clip');
  });

  it('of tokens has an amount for the input and one for the output', () => {
    expect(
      priceRangeLabel({
        unit: 'token',
        lowest: '2',
        highest: '4',
        output: { lowest: '10', highest: '10' },
      }),
    ).toBe('$2.00 – $4.00 in · $10.00 out');
  });

  it('has a label and a title for every unit', () => {
    expect(Object.keys(priceUnitLabels).toSorted()).toEqual([...priceUnits].toSorted());
    expect(Object.keys(priceUnitTitles).toSorted()).toEqual([...priceUnits].toSorted());
  });

  it('of a million tokens is the price of one times a million', () => {
    expect(perMillionLabel(parsePrice('0.000003'))).toBe('$3.00');
  });
});

describe('the calculation of a line', () => {
  it('is quantity times unit price, with grouped thousands', () => {
    expect(calculationLabel(line('8', '0.4'))).toBe('8 × $0.40');
    expect(calculationLabel(line('1234567.5', '0.0001'))).toBe('1,234,567.5 × $0.0001');
  });

  it('shows unit prices below a hundredth of a cent per million', () => {
    expect(calculationLabel(line('1200', '0.000003'))).toBe('1,200 × $3.00 / 1M');
    expect(calculationLabel(line('1251', '0.00001'))).toBe('1,251 × $10.00 / 1M');
    expect(calculationLabel(line('1200', '0'))).toBe('1,200 × $0.00');
  });
});
