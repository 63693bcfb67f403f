import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../hooks/app-context.ts';
import './SplitPane.css';

interface Props {
  /** Under which name the width is kept. */
  readonly name: string;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  readonly list: ReactNode;
  readonly detail: ReactNode;
}

/** A list and the detail beside it; the border between them is moved with the mouse or the arrow keys. */
export function SplitPane({ name, initial, min, max, list, detail }: Props) {
  const { preferences } = useApp();
  const kept = useStore(preferences, (state) => state.widths[name]);
  const width = Math.max(min, Math.min(max, kept ?? initial));
  const set = (next: number) => preferences.setWidth(name, Math.max(min, Math.min(max, next)));

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const handle = event.currentTarget;
    const offset = event.clientX - width;
    handle.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent) => set(move.clientX - offset);
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', onMove), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -16 : event.key === 'ArrowRight' ? 16 : 0;
    if (step === 0) return;
    event.preventDefault();
    set(width + step);
  };
  return (
    <div className="split" style={{ '--list-width': `${width}px` } as CSSProperties}>
      <section className="split-list">{list}</section>
      <div
        className="split-handle"
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the list"
        aria-valuenow={width}
        aria-valuemin={min}
        aria-valuemax={max}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
        onDoubleClick={() => set(initial)}
      />
      <section className="split-detail">{detail}</section>
    </div>
  );
}
