import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import type { ClientError } from '../client/client-error.ts';
import { previousCall } from '../model/previous-call.ts';
import { useApp } from './app-context.ts';

export interface PreviousCall {
  readonly state: 'reading' | 'found' | 'first' | 'failed';
  readonly call: CallSummary | undefined;
  readonly error: ClientError | undefined;
}

/** The call before this one in its session; the list is read on until it has been found. */
export function usePreviousCall(uid: string, callId: string): PreviousCall {
  const { stores } = useApp();
  const { calls } = stores.session(uid);
  const state = useStore(calls);
  const { items, hasMore, loadingMore, error, loadedAt } = state;
  const found = useMemo(() => previousCall(items, callId), [items, callId]);
  useEffect(() => void calls.load(), [calls]);
  useEffect(() => {
    if (loadedAt !== undefined && found === undefined && hasMore && !loadingMore && error === undefined)
      void calls.loadMore();
  }, [calls, loadedAt, found, hasMore, loadingMore, error]);
  if (found !== undefined) return { state: 'found', call: found, error: undefined };
  if (error !== undefined) return { state: 'failed', call: undefined, error };
  return { state: loadedAt === undefined || hasMore ? 'reading' : 'first', call: undefined, error: undefined };
}
