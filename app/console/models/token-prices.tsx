import type { MessagesRate } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';
import { perMillionLabel } from '../components/price/price-labels';
import { Card, Section } from '../components/ui/card';
import { Cell, Row, Table } from '../components/ui/table';

/** All rates of all providers; longer requests may have different rates. */
export function TokenPrices({ model }: { readonly model: MessagesModel }) {
  const [first] = model.bindings;
  if (!first) return null;
  const columns = [
    { title: 'Provider' },
    ...pricesOf(first.price.tiers[0]).map(([title]) => ({ title, align: 'right' as const })),
  ];
  return (
    <Section id="rates" title="Prices" description="In dollars per million tokens.">
      <Card>
        <Table label="Prices" columns={columns}>
          {model.bindings.flatMap(({ providerId, price }) =>
            price.tiers.map((rate) => (
              <Row key={`${providerId} ${rate.fromInputTokens}`}>
                <Cell full>
                  <span className="font-medium">{providerId}</span>
                  {price.tiers.length > 1 && (
                    <span className="block text-xs text-muted">
                      {rate.fromInputTokens === 0
                        ? 'Shorter requests'
                        : `From ${rate.fromInputTokens.toLocaleString('en')} input tokens, for the whole request`}
                    </span>
                  )}
                </Cell>
                {pricesOf(rate).map(([title, price]) => (
                  <Cell key={title} name={title} align="right" className="tabular-nums">
                    {perMillionLabel(price)}
                  </Cell>
                ))}
              </Row>
            )),
          )}
        </Table>
      </Card>
    </Section>
  );
}

/** Returns the prices of a rate. Where it has no cache price, the input price applies. */
function pricesOf(rate: MessagesRate): readonly (readonly [title: string, price: bigint])[] {
  const write = rate.cacheWrite5m ?? rate.input;
  return [
    ['Input', rate.input],
    ['Output', rate.output],
    ['Cache read', rate.cacheRead ?? rate.input],
    ['Cache write, 5 min', write],
    ['Cache write, 1 h', rate.cacheWrite1h ?? write],
  ];
}
