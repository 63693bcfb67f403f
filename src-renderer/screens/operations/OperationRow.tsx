import type { MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import { MemoryActionMark } from '../../components/MemoryActionMark.tsx';
import { Time } from '../../components/Time.tsx';
import { nameInUri } from '../../model/page-words.ts';
import { OperationDetail } from './OperationDetail.tsx';

interface Props {
  readonly operation: MemoryOperation;
  readonly open: boolean;
}

/** What came of it, what was to be remembered, and why. */
export function OperationRow({ operation, open }: Props) {
  const { action, text, reason, uri, kind, undone_at: undoneAt } = operation;
  return (
    <>
      <div className={`operation-row${undoneAt === undefined ? '' : ' undone'}`}>
        <MemoryActionMark action={action} />
        <div className="operation-what">
          <span className="clip" dir="auto" title={text}>
            {text}
          </span>
          <span className="clip soft small" title={reason.code}>
            {reason.message}
          </span>
        </div>
        <span className="operation-page clip soft">
          {undoneAt !== undefined && <span className="tag">undone</span>} {uri === undefined ? '' : nameInUri(uri)}
        </span>
        <span className="soft clip">{kind ?? ''}</span>
        <span className="right soft">
          <Time iso={operation.at} />
        </span>
      </div>
      {open && <OperationDetail operation={operation} />}
    </>
  );
}
