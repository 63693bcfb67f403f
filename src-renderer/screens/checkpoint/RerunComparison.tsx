import { useMemo } from 'react';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { LineDiff } from '../../components/LineDiff.tsx';
import { fallbackSentence } from '../../model/checkpoint-words.ts';
import { formatCount, formatDelta, formatNoun } from '../../model/format-number.ts';
import { identifierChange } from '../../model/identifier-rows.ts';

interface Props {
  readonly before: CheckpointRecord;
  readonly after: CheckpointRecord;
}

/** The earlier summary and the new one: figures, identifiers, and the text line by line. */
export function RerunComparison({ before, after }: Props) {
  const change = useMemo(() => identifierChange(before, after), [before, after]);
  const comparable = before.identifier_policy === after.identifier_policy;
  const isSame = before.overview === after.overview && before.abstract === after.abstract;
  return (
    <div className="comparison">
      {after.fallback !== undefined && (
        <p className="notice warn">
          {fallbackSentence(after.fallback)}. “{after.summariser}” wrote it instead.
        </p>
      )}
      {after.model !== undefined && (
        <p className="note">
          A model may word it differently when it writes it for good; what is checked stays the same.
        </p>
      )}
      {!comparable && (
        <p className="note">
          The policies differ ({before.identifier_policy}, {after.identifier_policy}), and with them what counts as an
          identifier: the numbers cannot be held against each other, the lists below can.
        </p>
      )}
      <div className="comparison-halves">
        <div className="comparison-half">
          <table className="plain-table comparison-figures">
            <thead>
              <tr>
                <th scope="col" />
                <th scope="col" className="right">
                  Now
                </th>
                <th scope="col" className="right">
                  New
                </th>
                <th scope="col" className="right">
                  Change
                </th>
              </tr>
            </thead>
            <tbody>
              <Figure name="Whole context, tokens" before={after.tokens_before} after={after.tokens_after} smaller />
              <Figure name="Summary, tokens" before={before.summary_tokens} after={after.summary_tokens} smaller />
              <Figure
                name="Identifiers kept"
                before={before.identifiers_kept.length}
                after={after.identifiers_kept.length}
                comparable={comparable}
              />
              <Figure
                name="Identifiers lost"
                before={before.identifiers_lost.length}
                after={after.identifiers_lost.length}
                comparable={comparable}
                smaller
              />
              <Figure
                name="Turns uncovered"
                before={before.uncovered_sequences.length}
                after={after.uncovered_sequences.length}
                smaller
              />
              <tr>
                <td>Written by</td>
                <td className="right">{before.model ?? before.summariser}</td>
                <td className="right">{after.model ?? after.summariser}</td>
                <td />
              </tr>
            </tbody>
          </table>
          <Names title="Identifiers that would be gained" tone="" names={change.gained} />
          <Names title="Identifiers that would be lost" tone="danger" names={change.lost} />
        </div>
        <div className="comparison-half">
          {isSame ? (
            <p className="soft">The new summary is word for word the same.</p>
          ) : (
            <>
              <h4>
                Overview <span className="dim">− now, + new</span>
              </h4>
              <LineDiff before={before.overview} after={after.overview} label="Differences of the overview" />
            </>
          )}
        </div>
      </div>
      {!isSame && (
        <>
          <h4>Abstract, now and new</h4>
          <div className="abstracts">
            <p dir="auto">{before.abstract}</p>
            <p dir="auto">{after.abstract}</p>
          </div>
        </>
      )}
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** More of it is worse. */
  readonly smaller?: boolean;
  readonly comparable?: boolean;
}

function Figure({ name, before, after, smaller = false, comparable = true }: FigureProps) {
  const worse = smaller ? after > before : after < before;
  return (
    <tr>
      <td>{name}</td>
      <td className="right num">{formatCount(before)}</td>
      <td className="right num">{formatCount(after)}</td>
      <td className={`right num${worse && comparable ? ' danger' : ' soft'}`}>
        {comparable ? formatDelta(after - before) : '—'}
      </td>
    </tr>
  );
}

const shownNames = 80;

function Names({ title, tone, names }: { title: string; tone: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h4 className={tone}>
        {title} <span className="num dim">{formatCount(names.length)}</span>
      </h4>
      <ul className="identifiers">
        {names.slice(0, shownNames).map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
        {names.length > shownNames && <li className="dim">and {formatNoun(names.length - shownNames, 'other')}</li>}
      </ul>
    </section>
  );
}
