import { Tabs } from '@base-ui/react/tabs';
import { useMemo } from 'react';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { useApp } from '../../hooks/app-context.ts';
import { checkpointFigures } from '../../model/checkpoint-figures.ts';
import { formatCount } from '../../model/format-number.ts';
import { identifierRows } from '../../model/identifier-rows.ts';
import type { CheckpointPlace, SourceView } from '../../navigation/place.ts';
import { IdentifiersList } from './IdentifiersList.tsx';
import { SourceCheckpoints } from './SourceCheckpoints.tsx';
import { SourceTurns } from './SourceTurns.tsx';

interface Props {
  readonly place: CheckpointPlace;
  readonly checkpoint: CheckpointRecord;
  readonly parents: readonly CheckpointRecord[];
}

/** What a checkpoint was made of: its turns, the checkpoints under it, and what became of the identifiers. */
export function SourcePane({ place, checkpoint, parents }: Props) {
  const { navigation } = useApp();
  const isCondensed = checkpoint.parent_checkpoint_ids.length > 0;
  const view = place.view ?? (isCondensed ? 'checkpoints' : 'turns');
  const identifiers = useMemo(() => identifierRows(checkpoint), [checkpoint]);
  const show = (next: SourceView) => {
    const { at, uid, checkpointId } = place;
    navigation.step({ at, uid, checkpointId, view: next });
  };
  return (
    <Tabs.Root className="tabs source-pane" value={view} onValueChange={(next: SourceView) => show(next)}>
      <Tabs.List className="tab-list" activateOnFocus aria-label="What it was made of">
        {isCondensed && (
          <Tabs.Tab value="checkpoints" className="tab">
            Made of <span className="num dim">{formatCount(checkpoint.parent_checkpoint_ids.length)}</span>
          </Tabs.Tab>
        )}
        <Tabs.Tab value="turns" className="tab">
          Turns <span className="num dim">{formatCount(checkpointFigures(checkpoint).turns)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="identifiers" className="tab">
          Identifiers <span className="num dim">{formatCount(identifiers.length)}</span>
        </Tabs.Tab>
      </Tabs.List>
      {isCondensed && (
        <Tabs.Panel value="checkpoints" className="tab-panel">
          <SourceCheckpoints
            uid={place.uid}
            parents={parents}
            missing={checkpoint.parent_checkpoint_ids.length - parents.length}
          />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="turns" className="tab-panel">
        {/* A text that was clicked elsewhere starts a new search. */}
        <SourceTurns key={place.find ?? ''} place={place} checkpoint={checkpoint} />
      </Tabs.Panel>
      <Tabs.Panel value="identifiers" className="tab-panel">
        <IdentifiersList place={place} checkpoint={checkpoint} rows={identifiers} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
