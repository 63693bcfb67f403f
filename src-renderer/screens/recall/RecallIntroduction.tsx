import { EmptyState } from '../../components/EmptyState.tsx';

/** What this page is for, before anything was asked. */
export function RecallIntroduction() {
  return (
    <EmptyState title="Ask memory what it would give the model">
      <p>
        Type what a person could say to the agent. The answer shows how the question was understood, every page, turn
        and summary that was looked at, what its score is made of, what would be packed into the context, and why the
        others would not. Nothing is sent to a model, and nothing is changed.
      </p>
      <p>
        “Options” asks as another user, agent or conversation, narrows where to look, and moves limit, budget and
        threshold.
      </p>
    </EmptyState>
  );
}
