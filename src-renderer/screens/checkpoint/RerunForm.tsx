import { identifierPolicySchema, type IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';

const writers = {
  configured: 'as configured',
  extractive: 'extractive (no model)',
  'openai-compatible': 'openai-compatible endpoint',
} as const;

export interface RerunSettings {
  readonly writer: keyof typeof writers;
  readonly policy: IdentifierPolicy;
  readonly focus: string;
}

interface Props {
  readonly settings: RerunSettings;
  readonly onChange: (settings: RerunSettings) => void;
}

/** How a checkpoint is to be run again. */
export function RerunForm({ settings, onChange }: Props) {
  return (
    <div className="rerun-form">
      <label>
        <span className="dim">Summariser</span>
        <select
          className="field"
          value={settings.writer}
          // One of the options below.
          onChange={(event) => onChange({ ...settings, writer: event.target.value as RerunSettings['writer'] })}
        >
          {Object.entries(writers).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="dim">Identifier policy</span>
        <select
          className="field"
          value={settings.policy}
          onChange={(event) => onChange({ ...settings, policy: identifierPolicySchema.parse(event.target.value) })}
        >
          {identifierPolicySchema.options.map((policy) => (
            <option key={policy}>{policy}</option>
          ))}
        </select>
      </label>
      <label className="grow">
        <span className="dim">Look out for</span>
        <input
          className="field"
          value={settings.focus}
          maxLength={10_000}
          placeholder="optional, such as: ports and file names"
          onChange={(event) => onChange({ ...settings, focus: event.target.value })}
        />
      </label>
    </div>
  );
}
