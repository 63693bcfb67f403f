import { CopyButton } from './CopyButton.tsx';
import './Command.css';

/** A command for a terminal, ready to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
