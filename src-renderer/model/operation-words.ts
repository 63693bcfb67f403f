import type { MemoryAction, MemoryOperation } from '../../src-shared/model/memory-operation.ts';

export const memoryActions: readonly MemoryAction[] = ['ADD', 'UPDATE', 'DELETE', 'NONE', 'REFUSED'];

export function memoryActionWord(action: MemoryAction): string {
  switch (action) {
    case 'ADD':
      return 'Added';
    case 'UPDATE':
      return 'Updated';
    case 'DELETE':
      return 'Retired';
    case 'NONE':
      return 'Not needed';
    case 'REFUSED':
      return 'Refused';
  }
}

export function memoryActionMeaning(action: MemoryAction): string {
  switch (action) {
    case 'ADD':
      return 'A page was made';
    case 'UPDATE':
      return 'A page was changed';
    case 'DELETE':
      return 'A page stands no longer; its file and history stay';
    case 'NONE':
      return 'It is known already, or not worth keeping; nothing was written';
    case 'REFUSED':
      return 'It must not be kept; nothing was written';
  }
}

export function methodWords({ method, author }: Pick<MemoryOperation, 'method' | 'author'>): string {
  if (method === 'request') return author === 'user' ? 'asked for by a person' : 'asked for with a tool';
  return method === 'model' ? 'found by a model' : 'found by rules';
}

/** The gates in their order, with what each asks. */
export function gateList({ gates }: Pick<MemoryOperation, 'gates'>): readonly {
  readonly name: string;
  readonly passed: boolean;
  readonly meaning: string;
}[] {
  return [
    { name: 'durable', passed: gates.durable, meaning: 'Does it hold beyond this task?' },
    { name: 'new', passed: gates.new, meaning: 'Is it not known already?' },
    { name: 'useful', passed: gates.useful, meaning: 'Will it help later?' },
  ];
}

/** Why an operation cannot be taken back; undefined when it can. */
export function whyNotUndone({ action, undone_at: undoneAt }: MemoryOperation): string | undefined {
  if (undoneAt !== undefined) return 'It was undone already';
  if (action === 'NONE' || action === 'REFUSED') return 'Nothing was written, so there is nothing to undo';
  return undefined;
}

/** `version 3 → 4`, `version 1`; empty where no version is told. */
export function versionWords({ version_before: before, version_after: after }: MemoryOperation): string {
  if (after === undefined) return before === undefined ? '' : `version ${before}`;
  return before === undefined ? `version ${after}` : `version ${before} → ${after}`;
}
