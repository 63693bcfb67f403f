import { Command } from '../../components/Command.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';

interface Props {
  /** Why the page has no session. */
  readonly why: 'none' | 'ended' | 'link_used';
}

const titles = {
  none: 'Open the inspector from your terminal',
  ended: 'This page’s session has ended',
  link_used: 'This link was used already, or is too old',
} as const;

/** The inspector opens by a one-time link; there is nothing to type and no password. */
export function SignedOutScreen({ why }: Props) {
  return (
    <main className="signed-out">
      <EmptyState title={titles[why]}>
        <p>
          Strata shows what your agent says and reads, so it opens only for the person at this machine: with a link that
          works once. Run this in a terminal, in Strata’s folder, and it opens here.
        </p>
        <Command text="npm run strata -- open" />
        <p className="dim">Once it is open in another tab of this browser, reload this one.</p>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </EmptyState>
    </main>
  );
}
