import { useStore } from 'zustand';
import { Explained } from '../components/Explained.tsx';
import { useApp } from '../hooks/app-context.ts';
import { useNow } from '../hooks/use-now.ts';
import { formatAgo } from '../model/format-time.ts';
import { hostLinkWords } from '../model/host-link-words.ts';

/** The state of the host link; always visible. */
export function HostLinkChip() {
  const { stores } = useApp();
  const now = useNow();
  const health = useStore(stores.health, (state) => state.value);
  const failed = useStore(stores.health, (state) => state.error !== undefined);
  if (health === undefined) {
    return <span className="chip quiet">{failed ? 'Host link unknown' : ' '}</span>;
  }
  const { host } = health;
  const words = hostLinkWords(health);
  const last = host.last_call_at === undefined ? '' : formatAgo(host.last_call_at, now);
  const explain = [
    words.sentence,
    host.last_call_at === undefined ? undefined : `Last call: ${host.last_call ?? 'unknown'}, ${last}.`,
    failed ? 'Stale: the daemon does not answer at the moment.' : undefined,
  ];
  return (
    <Explained text={explain.filter((line) => line !== undefined).join('\n')} className={`chip ${words.tone}`}>
      <span className={`dot ${words.tone}`} aria-hidden="true" />
      <span>{words.short}</span>
      {last !== '' && <span className="dim num">{last}</span>}
      {failed && <span className="dim">stale</span>}
    </Explained>
  );
}
