import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import './Explained.css';

interface Props {
  /** What it means, who counted, when. */
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** False inside of rows, where a stop for every number would be a burden; the row explains itself when it is open. */
  readonly focusable?: boolean;
}

/** Shows an explanation on hover and on focus. */
export function Explained({ text, children, className = '', focusable = true }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        render={<span {...(focusable ? { tabIndex: 0 } : {})} />}
        className={`explained ${className}`}
        aria-description={typeof text === 'string' ? text : undefined}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="tooltip-layer">
          <Tooltip.Popup className="tooltip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
