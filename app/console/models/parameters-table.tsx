import { providersOf } from '../../../lib/domain/binding';
import type { VideoModel } from '../../../lib/domain/model';
import type { VideoBinding } from '../../../lib/domain/video';
import { parameterOf, videoParameters } from '../../../lib/videos/video-parameters';
import { Card, Section } from '../components/ui/card';
import { Cell, Row, Table } from '../components/ui/table';

/** The optional parameters of the model, with their values and default, and the providers that ignore them. */
export function ParametersTable({ model }: { readonly model: VideoModel }) {
  const { parameters } = model.video;
  if (parameters.length === 0) return null;
  const columns = [{ title: 'Parameter' }, { title: 'Values' }, { title: 'Default' }, { title: 'Ignored by' }];
  return (
    <Section
      id="parameters"
      title="Parameters"
      description="Other parameters are ignored and listed in the X-Ignored-Params response header."
    >
      <Card>
        <Table label="Parameters" columns={columns}>
          {parameters.map((name) => {
            const { values, standard } = describe(name, model);
            const ignoring = ignoringProviders(name, model.bindings);
            return (
              <Row key={name}>
                <Cell full>
                  <code className="font-mono text-xs font-medium">{name}</code>
                </Cell>
                <Cell name="Values">{values}</Cell>
                <Cell name="Default">{standard ?? <span className="text-muted">Set by the provider</span>}</Cell>
                <Cell name="Ignored by" full>
                  {ignoring.length === 0 ? <span className="text-muted">No provider</span> : ignoring.join(', ')}
                </Cell>
              </Row>
            );
          })}
        </Table>
      </Card>
    </Section>
  );
}

/**
 * Returns the providers that ignore the parameter. A provider with several bindings may ignore it only at some
 * resolutions, such as `fal at 4k`.
 */
function ignoringProviders(name: string, bindings: readonly VideoBinding[]): string[] {
  return providersOf(bindings).flatMap((provider) => {
    const own = bindings.filter(({ providerId }) => providerId === provider);
    const ignoring = own.filter(({ parameters }) => !parameters.includes(name));
    if (ignoring.length === 0) return [];
    if (ignoring.length === own.length) return [provider];
    const tiers = [...new Set(ignoring.flatMap(({ resolutions = [] }) => resolutions))];
    return [tiers.length > 0 ? `${provider} at ${tiers.join(', ')}` : `${provider} in part`];
  });
}

function describe(name: string, model: VideoModel): { readonly values: string; readonly standard?: string } {
  const { fps, maxSeed } = model.video;
  if (name === 'seed') return { values: `0 to ${maxSeed.toLocaleString('en')}`, standard: 'Random' };
  if (name === 'fps')
    return {
      values: fps.min === undefined ? String(fps.default) : `${fps.min} to ${fps.max}`,
      standard: String(fps.default),
    };
  const listed = videoParameters[name];
  if (!listed) return { values: 'Passed to the provider' };
  const parameter = parameterOf(name, listed, model.video);
  if (parameter.type === 'boolean')
    return { values: 'true, false', ...(parameter.standard !== undefined && { standard: String(parameter.standard) }) };
  if (parameter.type === 'word')
    return {
      values: parameter.words.join(', '),
      ...(parameter.standard !== undefined && { standard: parameter.standard }),
    };
  return { values: `Text, up to ${parameter.maxLength.toLocaleString('en')} characters`, standard: 'Empty' };
}
