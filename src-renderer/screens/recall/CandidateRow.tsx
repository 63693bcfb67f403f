import type { MouseEvent } from 'react';
import type { RecallCandidate } from '../../../src-shared/model/recall.ts';
import { Mark } from '../../components/Mark.tsx';
import { PartMark, ScoreBar } from '../../components/ScoreBar.tsx';
import { Time } from '../../components/Time.tsx';
import { UriLink } from '../../components/UriLink.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { formatCount, formatScore } from '../../model/format-number.ts';
import { candidateClause, candidateSentence, levelWord, sourceWord } from '../../model/recall-words.ts';
import { partMeaning, scoreParts } from '../../model/score-parts.ts';

export function CandidateRowHead() {
  return (
    <div className="candidate-line head" aria-hidden="true">
      <span className="right">#</span>
      <span>Outcome</span>
      <span>Candidate</span>
      <span>Score</span>
      <span />
      <span className="right">Tokens</span>
    </div>
  );
}

interface Props {
  readonly candidate: RecallCandidate;
  readonly rank: number;
  readonly min: number | undefined;
  readonly open: boolean;
}

/** One candidate: whether it was packed, why, and what its score is made of. */
export function CandidateRow({ candidate, rank, min, open }: Props) {
  const { packed, source, score } = candidate;
  return (
    <>
      <div className={`candidate-line${packed ? '' : ' rejected'}`}>
        <span className="right num dim">{formatCount(rank)}</span>
        <Mark fill={packed ? 'full' : 'none'} word={packed ? 'Packed' : 'Left out'} />
        <div className="candidate-what">
          <span className="card-line candidate-title">
            <span className="clip" dir="auto">
              {candidate.title === '' ? candidate.text.slice(0, 120) : candidate.title}
            </span>
          </span>
          <span className="clip soft small">
            {sourceWord(source)}
            {source === 'page'
              ? `, ${candidate.kind}`
              : candidate.role === undefined
                ? ''
                : `, ${candidate.role}`} · {levelWord(candidate.level)} ·{' '}
            {candidate.reason === 'packed' && candidate.title !== ''
              ? candidate.text.slice(0, 200)
              : candidateClause(candidate)}
          </span>
        </div>
        <ScoreBar score={score} parts={candidate.parts} threshold={min ?? thresholdOf(candidate)} />
        <span className="num right" title={formatScore(score)}>
          {score.toFixed(2)}
        </span>
        <span className="num right">{formatCount(candidate.tokens)}</span>
      </div>
      {open && <CandidateDetail candidate={candidate} />}
    </>
  );
}

/** A threshold that scores are compared with; those of budget and limit are in other units. */
function thresholdOf({ reason, threshold }: RecallCandidate): number | undefined {
  return reason === 'below_threshold' || reason === 'abstained' ? threshold : undefined;
}

function CandidateDetail({ candidate }: { readonly candidate: RecallCandidate }) {
  // Inside of a row that closes when it is clicked.
  const keep = (event: MouseEvent) => event.stopPropagation();
  const parts = scoreParts(candidate.parts);
  return (
    <div className="candidate-detail" onClick={keep}>
      <div className="candidate-side">
        <p className="decision-sentence">{candidateSentence(candidate)}.</p>
        {candidate.because_of !== undefined && (
          <p className="soft">
            Because of <UriLink uri={candidate.because_of} />
          </p>
        )}
        <p>
          <UriLink uri={candidate.uri} name={openWords(candidate)} />
        </p>
        {candidate.at !== undefined && (
          <p className="soft">
            <Time iso={candidate.at} as="both" />
          </p>
        )}
        <table className="plain-table parts-table">
          <tbody>
            {parts.map(({ name, value }) => (
              <tr key={name} title={partMeaning(name)}>
                <td className="grow">
                  <PartMark name={name} />
                </td>
                <td className="right num">{value < 0 ? `−${formatScore(-value)}` : formatScore(value)}</td>
              </tr>
            ))}
            <tr className="strong">
              <td>Score</td>
              <td className="right num">{formatScore(candidate.score)}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <MessageView message={candidate.text} name={candidate.uri} />
    </div>
  );
}

function openWords({ source }: RecallCandidate): string {
  if (source === 'page') return 'Open the page';
  return source === 'turn' ? 'Open the turn in its session' : 'Open the checkpoint';
}
