import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons that do something; “Cancel” stands before them. */
  readonly actions: ReactNode;
  readonly wide?: boolean;
  readonly closeWord?: string;
}

/** A question over the page. Escape and a click outside answer it with no. */
export function ModalDialog({ title, onClose, children, actions, wide = false, closeWord = 'Cancel' }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className={`dialog question${wide ? ' wide' : ''}`}>
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          <div className="dialog-body">{children}</div>
          <div className="dialog-actions">
            <Dialog.Close className="button">{closeWord}</Dialog.Close>
            {actions}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
