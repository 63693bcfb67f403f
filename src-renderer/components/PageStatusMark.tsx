import type { PageHead } from '../../src-shared/model/memory-page.ts';
import { pageStatusMeaning, pageStatusWord } from '../model/page-words.ts';
import { Mark } from './Mark.tsx';

const fills = { active: 'full', superseded: 'half', retired: 'dashed' } as const;

interface Props {
  readonly page: Pick<PageHead, 'status' | 'problem'>;
  readonly named?: boolean;
}

/** Filled: it holds; half: another page holds instead; dashed: retired; crossed: the file cannot be read as a page. */
export function PageStatusMark({ page, named = true }: Props) {
  const { problem, status } = page;
  if (problem !== undefined) {
    return (
      <Mark
        shape="square"
        fill="cross"
        word="Unreadable"
        tone="warn"
        title={`${problem.code}: ${problem.message}`}
        named={named}
      />
    );
  }
  return (
    <Mark
      shape="square"
      fill={fills[status]}
      word={pageStatusWord(status)}
      title={pageStatusMeaning(status)}
      named={named}
    />
  );
}
