import { useId, type ReactNode } from 'react';
import { recallDefaults } from '../../model/recall-request.ts';
import type { RecallFields } from '../../model/recall-fields.ts';
import { recallSources, sourceWords } from '../../model/recall-words.ts';
import { formatCount } from '../../model/format-number.ts';

interface Props {
  readonly fields: RecallFields;
  readonly onChange: (fields: RecallFields) => void;
}

type TextName = 'user' | 'agent' | 'as' | 'session' | 'kinds' | 'labels' | 'limit' | 'tokens' | 'min';

const texts: readonly (readonly [TextName, string, string, string])[] = [
  ['user', 'User', 'default', 'Whose memory is asked'],
  ['agent', 'Agent', 'main', 'Which agent asks'],
  [
    'as',
    'As in the conversation',
    'key, such as agent:main:main',
    'Read as this conversation would: a group sees less',
  ],
  ['session', 'Only of the session', 'every session', 'Only turns and summaries of this session, by its uid'],
  ['kinds', 'Kinds', 'every kind', 'Only pages of these kinds, joined by commas'],
  ['labels', 'Labels', 'none asked for', 'Such as domain:code, joined by commas'],
  ['limit', 'Limit', formatCount(recallDefaults.limit), 'Results that are packed at most, 1 to 200'],
  ['tokens', 'Budget, tokens', formatCount(recallDefaults.tokens), 'Tokens that the packed texts may take together'],
  ['min', 'Lowest score', 'by configuration', 'Candidates below it are not packed, 0 to 1'],
];

/** As whom, where, and how much. */
export function RecallOptions({ fields, onChange }: Props) {
  const toggle = (source: (typeof recallSources)[number]) => {
    const next = new Set(fields.sources);
    if (!next.delete(source)) next.add(source);
    if (next.size > 0) onChange({ ...fields, sources: next });
  };
  return (
    <div className="recall-options">
      {texts.map(([name, label, placeholder, title]) => (
        <Field key={name} label={label} title={title}>
          {(id) => (
            <input
              id={id}
              className="field small"
              spellCheck={false}
              placeholder={placeholder}
              value={fields[name]}
              onChange={(event) => onChange({ ...fields, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <fieldset className="recall-sources">
        <legend>Where to look</legend>
        {recallSources.map((source) => (
          <label key={source}>
            <input type="checkbox" checked={fields.sources.has(source)} onChange={() => toggle(source)} />
            {sourceWords(source)}
          </label>
        ))}
        <label title="Superseded and retired pages are looked at too">
          <input
            type="checkbox"
            checked={fields.inactive}
            onChange={(event) => onChange({ ...fields, inactive: event.target.checked })}
          />
          What holds no longer
        </label>
      </fieldset>
    </div>
  );
}

function Field({ label, title, children }: { label: string; title: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="form-row" title={title}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
