import { Component, type ReactNode } from 'react';
import { asClientError, type ClientError } from '../client/client-error.ts';
import { ErrorState } from './ErrorState.tsx';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: ClientError | undefined;
}

/** A view that fails says so and leaves the frame around it usable. Give it the place as key, so that leaving helps. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: asClientError(thrown) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorState title="This view failed" error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
