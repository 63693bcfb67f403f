import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { JobSummary } from '../../../src-shared/model/job.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useElapsed } from '../../hooks/use-elapsed.ts';
import { useNow } from '../../hooks/use-now.ts';
import { compactionOutcome, compactionStateSentences } from '../../model/compaction-words.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { jobLine } from '../../model/job-words.ts';

/** How compaction stands in a session, in words, and the button that compacts now. */
export function CompactionBar({ uid }: { readonly uid: string }) {
  const { stores } = useApp();
  const { summary, compaction, job } = stores.session(uid);
  const session = useStore(summary, (state) => state.value);
  const background = useStore(job, (state) => state.value);
  const running = useStore(compaction, (state) => state.status === 'running');
  const [focus, setFocus] = useState('');
  const now = useNow();
  useEffect(() => void job.load(), [job]);
  const busy = running || session?.state === 'compacting';
  const ask = async () => {
    await compaction.run(focus.trim());
    const { status } = compaction.getState();
    // What a person set off is shown also while the page is paused.
    await Promise.all([stores.session(uid).checkpoints.refresh(), summary.refresh()]);
    if (status === 'done') setFocus('');
  };
  return (
    <div className="compaction-bar">
      <div className="compaction-words">
        {session !== undefined &&
          compactionStateSentences(session, now).map((sentence) => <p key={sentence}>{sentence}</p>)}
        {background !== undefined && <Background job={background} now={now} />}
      </div>
      <form
        className="compaction-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void ask();
        }}
      >
        <input
          className="field compaction-focus"
          value={focus}
          onChange={(event) => setFocus(event.target.value)}
          placeholder="Look out for… (optional)"
          aria-label="What the summary should look out for"
          maxLength={10_000}
        />
        <button
          type="submit"
          className="button"
          disabled={busy}
          title="Sums up older turns now. Nothing is deleted: the turns stay in the log, and a checkpoint can be dissolved."
        >
          {busy ? 'Compacting…' : 'Compact now'}
        </button>
      </form>
      <Outcome uid={uid} busy={busy} />
    </div>
  );
}

function Background({ job, now }: { readonly job: JobSummary; readonly now: number }) {
  if (job.state !== 'queued' && job.state !== 'running' && job.state !== 'dead') return null;
  const words = {
    queued: 'A background compaction is queued',
    running: 'Compacting in the background',
    dead: 'A background compaction gave up',
  };
  const line = jobLine(job, now);
  return (
    <p className={job.state === 'dead' ? 'warn' : ''}>
      <PlaceLink place={{ at: 'jobs', jobId: job.job_id }}>{words[job.state]}</PlaceLink>
      {line !== '' && `: ${line}`}
    </p>
  );
}

/** What the compaction that was asked for here does, or did. */
function Outcome({ uid, busy }: { readonly uid: string; readonly busy: boolean }) {
  const { stores } = useApp();
  const { compaction, checkpoints } = stores.session(uid);
  const state = useStore(compaction);
  const elapsed = useElapsed(state.status === 'running' ? state.startedAt : undefined);
  const since = state.startedAt;
  const made = useStore(checkpoints, ({ items }) =>
    since === undefined ? 0 : items.filter((item) => Date.parse(item.committed_at) >= since).length,
  );
  if (busy) {
    const soFar = made > 0 && state.status === 'running' ? `, ${formatNoun(made, 'checkpoint')} so far` : '';
    return (
      <div className="compaction-outcome" role="status">
        <div className="progress-line" />
        <span className="soft">
          {state.status === 'running'
            ? `Summing up older turns, ${formatCount(elapsed)} s${soFar}`
            : 'A compaction is running'}
          . New turns are stored meanwhile and stay word for word.
        </span>
      </div>
    );
  }
  if (state.error !== undefined) {
    return (
      <div className="compaction-outcome">
        <ErrorLine title="The session could not be compacted" error={state.error} />
      </div>
    );
  }
  if (state.result === undefined) return null;
  const { tone, sentence } = compactionOutcome(state.result);
  return (
    <div className={`compaction-outcome outcome ${tone}`} role="status">
      <span>{sentence}</span>
      <button type="button" className="button small plain" onClick={() => compaction.reset()}>
        Dismiss
      </button>
    </div>
  );
}
