import { SplitPane } from '../../components/SplitPane.tsx';
import type { SessionTab } from '../../navigation/place.ts';
import { SessionDetail } from './SessionDetail.tsx';
import { SessionsList } from './SessionsList.tsx';

interface Props {
  readonly uid?: string;
  readonly tab?: SessionTab;
  readonly turn?: number | undefined;
}

/** All sessions; the chosen one opens beside the list. */
export function SessionsScreen({ uid, tab = 'calls', turn }: Props) {
  if (uid === undefined) {
    return (
      <section className="full-list">
        <SessionsList wide />
      </section>
    );
  }
  return (
    <SplitPane
      name="sessions"
      initial={320}
      min={240}
      max={560}
      list={<SessionsList selected={uid} />}
      detail={<SessionDetail key={uid} uid={uid} tab={tab} turn={turn} />}
    />
  );
}
