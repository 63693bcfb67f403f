import type { MemoryAccess, MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { MemoryConfig } from '../../../../src-shared/model/memory-config.ts';
import type { StandingStore } from '../../ports/standing-store.ts';
import { audienceOf, scopeOf, type Reader } from '../scope-of.ts';

/** From least to most. */
const order: readonly MemoryAccess[] = ['none', 'shared', 'all'];

/**
 * What a conversation may see of memory: by who listens, as configured; for a sub-agent what the one that spawned it
 * granted, and never more than that one may see itself.
 */
export class MemoryAccessPolicy {
  readonly #access: MemoryConfig['access'];
  readonly #grants: Pick<StandingStore, 'grantOf'>;

  constructor(access: MemoryConfig['access'], grants: Pick<StandingStore, 'grantOf'>) {
    this.#access = access;
    this.#grants = grants;
  }

  async scopeFor(reader: Reader): Promise<MemoryScope> {
    const scope = scopeOf(reader, this.#access);
    if (audienceOf(reader.sessionKey) !== 'subagent') return scope;
    const access = await this.#granted(reader.userId, reader.sessionKey, new Set());
    return { ...scope, access, otherSessions: access === 'all' };
  }

  /** Sub-agents may spawn others; each grants at most what it has. */
  async #granted(userId: string, childKey: string, seen: Set<string>): Promise<MemoryAccess> {
    const audience = audienceOf(childKey);
    if (audience !== 'subagent') return this.#access[audience];
    if (seen.has(childKey)) return 'none';
    seen.add(childKey);
    const grant = await this.#grants.grantOf(userId, childKey);
    if (!grant) return this.#access.subagent;
    return least(grant.access ?? this.#access.subagent, await this.#granted(userId, grant.parentKey, seen));
  }
}

function least(a: MemoryAccess, b: MemoryAccess): MemoryAccess {
  return order.indexOf(a) <= order.indexOf(b) ? a : b;
}
