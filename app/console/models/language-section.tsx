import type { SttModel, TtsModel } from '../../../lib/domain/model';
import { Card, Section } from '../components/ui/card';
import { Cell, Row, Table } from '../components/ui/table';

/** The languages of a speech model, and the voices of a text-to-speech model. */
export function LanguageSection({ model }: { readonly model: SttModel | TtsModel }) {
  const languages = model.capability === 'stt' ? model.stt.languages : model.tts.languages;
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    <>
      {model.capability === 'tts' && <Voices model={model} />}
      <Section id="languages" title="Languages">
        <ul className="flex flex-wrap gap-1.5">
          {languages.map((code) => (
            <li key={code} className="rounded-md border border-line bg-surface px-2 py-1 text-xs">
              {names.of(code)} <code className="ml-1 font-mono text-muted">{code}</code>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Voices({ model }: { readonly model: TtsModel }) {
  const { voices, otherVoices } = model.tts;
  return (
    <Section
      id="voices"
      title="Voices"
      description={otherVoices ? 'You can also use any other voice of the provider by its name or id.' : undefined}
    >
      <Card>
        <Table
          label="Voices"
          columns={[{ title: 'Voice' }, { title: 'Language' }, { title: 'Id' }, { title: 'Description' }]}
        >
          {voices.map((voice) => (
            <Row key={voice.name}>
              <Cell>
                <span className="font-medium">{voice.name}</span>
              </Cell>
              <Cell name="Language">{voice.language ?? <span className="text-muted">Any</span>}</Cell>
              <Cell name="Id">
                <code className="font-mono text-xs break-all text-muted">{voice.id ?? voice.name}</code>
              </Cell>
              <Cell name="Description" full>
                {voice.description ?? <span className="text-muted">–</span>}
              </Cell>
            </Row>
          ))}
        </Table>
      </Card>
    </Section>
  );
}
