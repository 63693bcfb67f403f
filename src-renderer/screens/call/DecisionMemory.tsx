import { useEffect } from 'react';
import type { TraceItem } from '../../../src-shared/model/trace.ts';
import { UriLink } from '../../components/UriLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { pageUriOf } from '../../model/page-words.ts';

/** A link from what is said about memory to where that memory stands. */
export function DecisionMemory({ item }: { readonly item: TraceItem | undefined }) {
  const { stores } = useApp();
  const uri = item?.uri;
  const isPage = uri !== undefined && pageUriOf(uri) !== undefined;
  const isRecalled = item?.kind === 'recalled_memory' && uri !== undefined;
  useEffect(() => {
    if (isPage || isRecalled) void stores.memory.list.load();
  }, [stores, isPage, isRecalled]);
  if (uri === undefined || (!isPage && !isRecalled)) return null;
  return (
    <p className="soft">
      {isPage ? 'The page as it is now: ' : 'It stands in: '}
      <UriLink uri={uri} />
    </p>
  );
}
