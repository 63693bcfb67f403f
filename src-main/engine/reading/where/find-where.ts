import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import type { WhereHit, WhereReply, WhereRequest } from '../../../../src-shared/protocol/where.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { localAccount } from '../../memory/scope-of.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { IndexHit } from '../../ports/memory-index.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { SessionRow, StoredCheckpoint, TurnMeta } from '../../ports/session-store.ts';
import { traceHit, type SaidTurn, type SessionPast } from './trace-hit.ts';
import { WhereWords } from './where-words.ts';

export interface WhereParts extends Pick<EngineParts, 'store' | 'memoryIndex' | 'operations' | 'config'> {
  readonly pages: Pick<MemoryPages, 'find'>;
}

/** Bounds of one search; what they cut off is told. */
const most = { readers: 8, sessions: 200, turns: 200, pages: 20, checkpoints: 200, calls: 400, operations: 500 };

/** One search over the log, the summaries, memory and the windows of the newest calls. Reads only. */
export async function findWhere(request: WhereRequest, parts: WhereParts): Promise<WhereReply> {
  const started = performance.now();
  return new WhereSearch(request, parts).run(started);
}

class WhereSearch {
  readonly #request: WhereRequest;
  readonly #parts: WhereParts;
  readonly #words: WhereWords;
  readonly #limits: string[] = [];
  readonly #pasts = new Map<string, Promise<SessionPast>>();
  #calls = 0;
  #checkpoints = 0;

  constructor(request: WhereRequest, parts: WhereParts) {
    this.#request = request;
    this.#parts = parts;
    this.#words = new WhereWords(request.query, request.exact);
  }

  async run(started: number): Promise<WhereReply> {
    const { limit, query } = this.#request;
    const { backlog } = await this.#parts.memoryIndex.state();
    if (backlog > 0) this.#limits.push(`${backlog} pages or turns are not in the index yet.`);
    const readers = await this.#readers();
    const turns = await this.#turns(readers);
    const pages = await this.#pages(readers);
    if (turns.length > limit) this.#limits.push(`${turns.length} turns have it; the best ${limit} were followed.`);
    const hits: WhereHit[] = [];
    for (const turn of turns.slice(0, limit)) {
      const past = await this.#pastOf(turn.session);
      hits.push(await traceHit(turn, past, pages, this.#words, this.#parts.pages));
    }
    const told = new Set(
      hits.flatMap(({ steps }) => steps.flatMap((step) => (step.stage === 'page' ? [step.uri] : []))),
    );
    for (const page of pages.filter(({ uri }) => !told.has(uri)).slice(0, Math.max(0, limit - hits.length))) {
      hits.push(await this.#pageHit(page));
    }
    return {
      query,
      terms: [...this.#words.terms],
      hits,
      looked_at: { turns: turns.length, checkpoints: this.#checkpoints, pages: pages.length, calls: this.#calls },
      limits: this.#limits,
      duration_ms: performance.now() - started,
    };
  }

  /** Every user and agent whose sessions are looked through: the index answers one at a time. */
  async #readers(): Promise<readonly MemoryScope[]> {
    const { store, config } = this.#parts;
    const { session_uid: uid } = this.#request;
    const base = { accountId: localAccount, access: 'all', labels: undefined } as const;
    if (uid !== undefined) {
      const sessions = await store.lookUpSessions(uid);
      return sessions.map(({ userId, agentId, uid: sessionUid }) => ({
        ...{ ...base, userId, agentId, sessionUid, otherSessions: false },
      }));
    }
    const { items, total } = await store.listSessions({ cursor: undefined, limit: most.sessions }, {});
    if (total > items.length) this.#limits.push(`Of ${total} sessions the last ${items.length} name whom to look for.`);
    const pairs = new Map(items.map(({ userId, agentId }) => [JSON.stringify([userId, agentId]), { userId, agentId }]));
    if (pairs.size === 0) pairs.set('', { userId: config.user_id, agentId: 'main' });
    if (pairs.size > most.readers)
      this.#limits.push(`${pairs.size} agents have sessions; ${most.readers} were looked at.`);
    return [...pairs.values()]
      .slice(0, most.readers)
      .map((who) => ({ ...base, ...who, sessionUid: undefined, otherSessions: true }));
  }

  async #search(readers: readonly MemoryScope[], source: 'turn' | 'page', limit: number): Promise<readonly IndexHit[]> {
    const terms = this.#words.terms.map((term) => ({ term, weight: 1 }));
    const found = new Map<string, IndexHit>();
    for (const scope of readers) {
      const hits = await this.#parts.memoryIndex.searchText({
        ...{ scope, terms, limit },
        sources: [source],
        includeInactive: true,
      });
      if (hits.length >= limit) this.#limits.push(`Of the ${source}s only the best ${limit} by their words were read.`);
      for (const hit of hits) if (!found.has(hit.uri)) found.set(hit.uri, hit);
    }
    return [...found.values()];
  }

  async #turns(readers: readonly MemoryScope[]): Promise<readonly SaidTurn[]> {
    const { store } = this.#parts;
    const sessions = new Map<string, SessionRow | undefined>();
    const found: SaidTurn[] = [];
    for (const { sessionUid, sequence } of await this.#search(readers, 'turn', most.turns)) {
      if (sessionUid === undefined || sequence === undefined) continue;
      if (!sessions.has(sessionUid)) sessions.set(sessionUid, (await store.lookUpSessions(sessionUid))[0]);
      const session = sessions.get(sessionUid);
      const [meta] = session ? await store.turnsInRange(sessionUid, sequence, sequence, 1) : [];
      if (!session || !meta) continue;
      const text = await this.#textOf(meta);
      const words = this.#words.in(text);
      if (this.#words.isEnough(words)) found.push({ session, meta, text, words });
    }
    return found.sort(
      (one, other) =>
        other.words.length - one.words.length ||
        other.meta.timestamp - one.meta.timestamp ||
        other.meta.sequence - one.meta.sequence,
    );
  }

  async #textOf({ contentHash, format, preview }: TurnMeta): Promise<string> {
    const body = (await this.#parts.store.readBodies([contentHash])).get(contentHash);
    if (body === undefined) return preview;
    // Written by the log, which takes nothing but messages.
    const view = readMessage(JSON.parse(body) as HostMessage, format, 0);
    return view.countable.join('\n') || preview;
  }

  async #pages(readers: readonly MemoryScope[]): Promise<readonly IndexHit[]> {
    const found: IndexHit[] = [];
    for (const hit of await this.#search(readers, 'page', most.pages)) {
      const page = await this.#parts.pages.find(hit.uri);
      if (page && this.#words.isEnough(this.#words.in(page.content))) found.push(hit);
    }
    return found;
  }

  /** What became of a session's turns, read once for all hits in it. */
  #pastOf(session: SessionRow): Promise<SessionPast> {
    const known = this.#pasts.get(session.uid);
    if (known) return known;
    const reading = this.#readPast(session);
    this.#pasts.set(session.uid, reading);
    return reading;
  }

  async #readPast(session: SessionRow): Promise<SessionPast> {
    const { store, operations } = this.#parts;
    const listed = await store.pageCheckpoints(session.uid, { cursor: undefined, limit: most.checkpoints });
    if (listed.total > listed.items.length) {
      this.#limits.push(`Of ${listed.total} checkpoints the newest ${listed.items.length} were looked at.`);
    }
    const judged = await operations.list({ cursor: undefined, limit: most.operations }, { sessionUid: session.uid });
    const checkpoints: readonly StoredCheckpoint[] = listed.items;
    this.#checkpoints += checkpoints.length;
    return { checkpoints, operations: judged.items, calls: await this.#callsOf(session) };
  }

  async #callsOf(session: SessionRow): Promise<readonly AssembleTrace[]> {
    const { store } = this.#parts;
    const limit = Math.min(this.#request.calls, most.calls - this.#calls);
    if (limit <= 0) {
      this.#limits.push(`Calls of ${session.sessionId} were not looked at: ${most.calls} of other sessions were.`);
      return [];
    }
    const { items, total } = await store.pageCalls(session.uid, { cursor: undefined, limit });
    if (total > items.length) {
      this.#limits.push(`Of ${total} calls of ${session.sessionId} the newest ${items.length} were looked at.`);
    }
    this.#calls += items.length;
    const traces: AssembleTrace[] = [];
    for (const { call_id: id } of items) {
      const found = await store.findCall(id);
      if (found) traces.push(found.trace);
    }
    return traces;
  }

  /** A page that no turn found says the same as. */
  async #pageHit({ uri, title, status, at, kind }: IndexHit): Promise<WhereHit> {
    const { store, pages } = this.#parts;
    const page = await pages.find(uri);
    const { page: uses } = await store.pageUses([uri], { cursor: undefined, limit: this.#request.calls }, undefined);
    const sent = uses.items.find(({ action }) => action !== 'dropped');
    const isActive = status === 'active';
    return {
      uri,
      source: 'page',
      role: kind,
      at: new Date(at).toISOString(),
      snippet: this.#words.snippet(page?.content ?? title),
      steps: [
        {
          ...{ stage: 'page', uri, title, by: 'words' },
          state: isActive ? 'kept' : 'inactive',
          message: isActive ? `The page “${title}” says it.` : `The page “${title}” says it and is ${status}.`,
        },
      ],
      ...(isActive ? {} : { lost_at: 0 }),
      ...(sent && { last_seen: { call_id: sent.callId, at: sent.at, item: sent.item, as: 'memory' as const } }),
      verdict: sent
        ? `Memory holds it; the last call that was sent it is of ${sent.at}.`
        : 'Memory holds it; no call on record was sent it.',
    };
  }
}
