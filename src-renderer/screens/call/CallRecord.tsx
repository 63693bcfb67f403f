import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { formatNoun } from '../../model/format-number.ts';

/** What identifies the call: equal inputs under an equal configuration give an equal output. */
export function CallRecord({ trace }: { readonly trace: AssembleTrace }) {
  const hash = (value: string) => <code title={value}>{value.slice(0, 16)}…</code>;
  const facts: Fact[] = [
    { name: 'Call', value: <CopyButton text={trace.call_id} label="Copy id" /> },
    { name: 'Host’s list', value: `${formatNoun(trace.host_message_count, 'message')}, ${trace.history}` },
    { name: 'Format and reply', value: `${trace.format}, ${trace.reply}` },
    { name: 'Engine', value: trace.engine_version },
    { name: 'Input', value: hash(trace.input_hash) },
    { name: 'Output', value: hash(trace.output_hash) },
    { name: 'Configuration', value: hash(trace.config_hash) },
  ];
  return (
    <section className="call-record">
      <h3>Record</h3>
      <Facts facts={facts} />
    </section>
  );
}
