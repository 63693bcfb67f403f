import type { RecallResult } from '../../../src-shared/model/recall.ts';
import { Stat } from '../../components/Stat.tsx';
import { formatCount, formatDuration, formatShare } from '../../model/format-number.ts';
import { intentMeaning, outcomeSentence, relationWords } from '../../model/recall-words.ts';

interface Props {
  readonly result: RecallResult;
  readonly budget: number;
}

const mostTerms = 24;

/** The question as the engine took it, and how the search ended. */
export function RecallSummary({ result, budget }: Props) {
  const { intent, relation, terms, degraded } = result;
  return (
    <section className="recall-summary" aria-label="How it was understood">
      <dl className="stats">
        <Stat name="Intent" title={intentMeaning(intent)}>
          {intent}
        </Stat>
        {relation !== undefined && (
          <Stat name="Relation" title="As the question was understood: relation → what is known of it">
            {relationWords(relation)}
          </Stat>
        )}
        <Stat name="Considered" title="Candidates that were looked at, also those that are not listed">
          <span className="num">{formatCount(result.considered)}</span>
        </Stat>
        <Stat name="Packed tokens" title="Tokens that the packed texts take, of the budget">
          <span className="num">
            {formatCount(result.tokens)} <span className="dim">of {formatCount(budget)}</span>{' '}
            <span className="dim">· {formatShare(result.tokens / Math.max(1, budget))}</span>
          </span>
        </Stat>
        <Stat name="Took">
          <span className="num">
            {formatDuration(result.duration_ms)}
            {result.from_cache && <span className="dim"> · kept from before</span>}
          </span>
        </Stat>
      </dl>
      <div className="recall-terms">
        <span className="dim">Terms</span>
        {terms.length === 0 && <span className="soft">none: it has no word that could be looked for</span>}
        {terms.slice(0, mostTerms).map((term) => (
          <span key={term} className="term" dir="auto">
            {term}
          </span>
        ))}
        {terms.length > mostTerms && <span className="dim">and {formatCount(terms.length - mostTerms)} more</span>}
      </div>
      <p className={`notice recall-outcome${result.abstained ? ' warn' : ''}`} role="status">
        {outcomeSentence(result, budget)}
      </p>
      {degraded.map(({ code, message }) => (
        <p key={code} className="notice warn">
          {message} <code>{code}</code> What was found stands.
        </p>
      ))}
    </section>
  );
}
