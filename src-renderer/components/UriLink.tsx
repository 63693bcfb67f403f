import { useStore } from 'zustand';
import { parseUri } from '../../src-shared/model/uri.ts';
import { useApp } from '../hooks/app-context.ts';
import { formatCount } from '../model/format-number.ts';
import { nameInUri, pageName } from '../model/page-words.ts';
import { placeOfUri } from '../model/place-of-uri.ts';
import { sessionName } from '../model/session-name.ts';
import { PlaceLink } from './PlaceLink.tsx';

interface Props {
  readonly uri: string;
  /** What it is called, where that is known better. */
  readonly name?: string | undefined;
}

/** A link to what a URI names, in words; what has no view is shown as it is. */
export function UriLink({ uri, name }: Props) {
  const place = placeOfUri(uri);
  if (place === undefined) return <code className="uri">{uri}</code>;
  return (
    <PlaceLink place={place} title={uri}>
      {name ?? <UriName uri={uri} />}
    </PlaceLink>
  );
}

function UriName({ uri }: { readonly uri: string }) {
  const parsed = parseUri(uri);
  switch (parsed.kind) {
    case 'page':
      return <PageTitle uri={uri} />;
    case 'turn':
      return (
        <>
          turn {formatCount(parsed.sequence)} of <SessionTitle uid={parsed.sessionUid} />
        </>
      );
    case 'checkpoint':
      return (
        <>
          checkpoint of <SessionTitle uid={parsed.sessionUid} />
        </>
      );
    case 'session':
      return <SessionTitle uid={parsed.sessionUid} />;
    case 'tool-result':
      return <code>{parsed.contentHash.slice(0, 12)}…</code>;
  }
}

/** The title where the list of pages has it, else the name of the file. */
function PageTitle({ uri }: { readonly uri: string }) {
  const { stores } = useApp();
  const title = useStore(stores.memory.list, ({ pages }) => {
    const head = pages.find((page) => page.uri === uri);
    return head === undefined ? undefined : pageName(head);
  });
  return title ?? nameInUri(uri);
}

function SessionTitle({ uid }: { readonly uid: string }) {
  const { stores } = useApp();
  const name = useStore(stores.sessions, ({ items }) => {
    const found = items.find((session) => session.session_uid === uid);
    return found === undefined ? undefined : sessionName(found);
  });
  return name ?? <span title={uid}>session {uid.slice(0, 12)}…</span>;
}
