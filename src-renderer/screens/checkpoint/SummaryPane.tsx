import { useMemo, useState } from 'react';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import type { CheckpointPlace } from '../../navigation/place.ts';
import { overviewSections, type OverviewSection } from '../../model/overview-sections.ts';

interface Props {
  readonly place: CheckpointPlace;
  readonly checkpoint: CheckpointRecord;
}

/** The summary: its abstract, and its overview in sections or exactly as it is sent. Text nodes only. */
export function SummaryPane({ place, checkpoint }: Props) {
  const { navigation } = useApp();
  const find = (text: string) => {
    const { at, uid, checkpointId } = place;
    navigation.go({ at, uid, checkpointId, view: 'turns', find: text });
  };
  const [as, setAs] = useState<'sections' | 'text'>('sections');
  const sections = useMemo(() => overviewSections(checkpoint.overview), [checkpoint.overview]);
  return (
    <section className="summary-pane" aria-label="Summary" tabIndex={0}>
      <div className="pane-head">
        <h3>Summary</h3>
        <div className="filter-set" role="group" aria-label="Shown as">
          <button
            type="button"
            className="button small"
            aria-pressed={as === 'sections'}
            onClick={() => setAs('sections')}
          >
            Sections
          </button>
          <button type="button" className="button small" aria-pressed={as === 'text'} onClick={() => setAs('text')}>
            Exact text
          </button>
        </div>
        {checkpoint.summary_uri !== undefined && <CopyButton text={checkpoint.summary_uri} label="Copy URI" />}
      </div>
      <div className="pane-body">
        {as === 'text' ? (
          <>
            <h4>Abstract</h4>
            <MessageView message={checkpoint.abstract} name="abstract" />
            <h4>Overview</h4>
            <MessageView message={checkpoint.overview} name="overview" />
          </>
        ) : (
          <>
            <h4>Abstract</h4>
            {checkpoint.abstract === '' ? (
              <p className="dim">There is no abstract.</p>
            ) : (
              <p className="summary-abstract" dir="auto">
                {checkpoint.abstract}
              </p>
            )}
            {sections.map((section, index) => (
              // Sections are never reordered, and a writer may give two the same title.
              <Section key={index} section={section} onFind={find} />
            ))}
            {sections.length === 0 && <p className="dim">The overview is empty.</p>}
          </>
        )}
      </div>
    </section>
  );
}

/** More lines than this are shown only when asked for. */
const shownLines = 120;

interface SectionProps {
  readonly section: OverviewSection;
  readonly onFind: (text: string) => void;
}

function Section({ section, onFind }: SectionProps) {
  const [whole, setWhole] = useState(false);
  // Identifiers stand one to a line, without a bullet.
  const isList = section.title === undefined || section.lines.some((line) => line.bullet);
  const lines = whole ? section.lines : section.lines.slice(0, shownLines);
  return (
    <div className="summary-section">
      {section.title !== undefined && (
        <h4>
          {section.title} <span className="num dim">{formatCount(section.lines.length)}</span>
        </h4>
      )}
      <ul className={isList ? '' : 'chips'}>
        {lines.map((line, index) => (
          <li key={index} className={isList ? 'bullet' : ''} dir="auto">
            {isList ? (
              line.text
            ) : (
              <button
                type="button"
                className="identifier-chip"
                title="Find the turns that have it"
                onClick={() => onFind(line.text)}
              >
                {line.text}
              </button>
            )}
          </li>
        ))}
      </ul>
      {lines.length < section.lines.length && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show all {formatNoun(section.lines.length, 'line')}
        </button>
      )}
    </div>
  );
}
