import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { CheckpointMark } from '../components/CheckpointMark.tsx';
import { Icon } from '../components/Icon.tsx';
import { checkpointStateSchema } from '../../src-shared/model/checkpoint.ts';
import { ActionMark } from '../components/ActionMark.tsx';
import { KindMark } from '../components/KindMark.tsx';
import { useHotKeys } from '../hooks/use-hot-keys.ts';
import { termMeanings } from '../model/term-meanings.ts';
import { segmentKinds } from '../model/segment-kinds.ts';

const keys: readonly (readonly [readonly string[], string])[] = [
  [['J', 'K'], 'Next and previous row'],
  [['↑', '↓'], 'The same, in the list that has the focus'],
  [['Enter'], 'Open the row'],
  [['[', ']'], 'Older and newer call or checkpoint'],
  [['←', '→'], 'Previous and next step of a call'],
  [['/'], 'Filter, or run to an item'],
  [['P'], 'Pause and resume live changes'],
  [['G', 'O'], 'Go to the overview'],
  [['G', 'S'], 'Go to the sessions'],
  [['G', 'M'], 'Go to memory'],
  [['G', 'R'], 'Go to recall'],
  [['G', 'J'], 'Go to the jobs'],
  [['Ctrl', 'K'], 'Search everything'],
  [['Esc'], 'Close, or go up one level'],
  [['?'], 'This help'],
];

const terms: readonly (readonly [string, string])[] = [
  ['Turn', termMeanings.turn],
  ['Call', termMeanings.call],
  ['Epoch', termMeanings.epoch],
  ['Advancement', termMeanings.advancement],
  ['Checkpoint', termMeanings.checkpoint],
  ['Job', termMeanings.job],
  ['Page', termMeanings.page],
  ['Operation', termMeanings.operation],
  ['Recall', termMeanings.recall],
  ['Budget', termMeanings.budget],
  ['Left', termMeanings.left],
];

/** Keys, marks and words, on one page. */
export function HelpDialog() {
  const [open, setOpen] = useState(false);
  useHotKeys({ '?': () => setOpen(true) });
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="button small plain" aria-label="Help" title="Help (?)">
        <Icon name="help" size={16} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog">
          {/* First, because it takes the focus: at the end it would scroll a small window down. */}
          <div className="dialog-head">
            <Dialog.Title className="dialog-title">Keys, marks and words</Dialog.Title>
            <Dialog.Close className="button">Close</Dialog.Close>
          </div>
          <div className="help">
            <dl className="help-keys">
              {keys.map(([names, meaning]) => (
                <div key={meaning}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <div className="help-marks">
              <h3>Decisions</h3>
              <ActionMark action="included" />
              <ActionMark action="trimmed" />
              <ActionMark action="dropped" />
              <h3>Checkpoints</h3>
              {checkpointStateSchema.options.map((state) => (
                <CheckpointMark key={state} state={state} />
              ))}
              <h3>Segments</h3>
              {segmentKinds.map(({ kind }) => (
                <KindMark key={kind} kind={kind} />
              ))}
              <h3>Numbers</h3>
              <p className="soft">
                <span className="num">≈</span> marks an estimate. Hover a number, or move the focus to it, to read who
                counted it and what it measures.
              </p>
            </div>
            <dl className="help-terms">
              {terms.map(([name, meaning]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="soft">{meaning}</dd>
                </div>
              ))}
            </dl>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
