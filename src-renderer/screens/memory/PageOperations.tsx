import { OperationsList } from '../operations/OperationsList.tsx';

/** What was judged about one page. */
export function PageOperations({ uri }: { readonly uri: string }) {
  return <OperationsList filter={{ uri }} empty={<NoOperation />} />;
}

function NoOperation() {
  return (
    <p>
      No judgement touched this page: it was written by hand or taken in from a file. What extraction and the agent’s
      tools decide about it is listed here.
    </p>
  );
}
