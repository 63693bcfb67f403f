import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../hooks/app-context.ts';
import { sessionName } from '../../model/session-name.ts';

/** The session that a job is about, by the name that people know it by. */
export function SessionName({ uid }: { readonly uid: string | undefined }) {
  const { stores } = useApp();
  const found = useStore(stores.sessions, (state) => state.items.find((session) => session.session_uid === uid));
  useEffect(() => void stores.sessions.load(), [stores]);
  if (uid === undefined) return <span className="dim">no session</span>;
  const name = found === undefined ? uid : sessionName(found);
  return (
    <span className="clip" title={name}>
      {name}
    </span>
  );
}
