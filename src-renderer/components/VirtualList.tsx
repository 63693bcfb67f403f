import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useHotKeys } from '../hooks/use-hot-keys.ts';
import { useVirtualRows } from '../hooks/use-virtual-rows.ts';
import './VirtualList.css';

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Height of a closed row, in CSS pixels. */
  readonly rowHeight: number;
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly renderRow: (item: T, state: RowState) => ReactNode;
  /** Called by click and Enter, and with `follow` also by moving. */
  readonly onOpen: (item: T) => void;
  readonly selected?: string | undefined;
  /** Moving opens at once: for lists whose detail stands beside them. */
  readonly follow?: boolean;
  /** J and K move in this list wherever the focus is. */
  readonly hotKeys?: boolean;
  readonly onEnd?: (() => void) | undefined;
  /** Keys of rows that came in live. */
  readonly arrived?: ReadonlySet<string>;
  readonly arrivedNoun?: string;
  /** Rows that are opened in place; makes the list a tree for screen readers. */
  readonly expanded?: ReadonlySet<string>;
  /** Where a row stands in a tree, from level 1, and whether it is open, if it can be. */
  readonly nodeOf?: (item: T) => TreeNode;
  /** The arrow keys to the right and left, in a tree. */
  readonly onFold?: (item: T, open: boolean) => void;
  /** Called instead of `onOpen` when one moves and `follow` is set. */
  readonly onMove?: (item: T) => void;
  /** Brings the selected row into view when another one is selected from outside. */
  readonly reveal?: boolean;
  /** Said below the last row, such as how many of how many. */
  readonly foot?: ReactNode;
}

export interface RowState {
  readonly active: boolean;
  readonly selected: boolean;
  readonly arrived: boolean;
}

export interface TreeNode {
  readonly level: number;
  readonly open?: boolean | undefined;
}

const noneArrived: ReadonlySet<string> = new Set();

/**
 * A list of any length. Rows that come in at its head leave what is read where it is; only at the very top they push
 * the others down.
 */
export function VirtualList<T>(props: Props<T>) {
  const { items, keyOf, rowHeight, label, selected, onOpen, follow = false, arrived = noneArrived } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [activeKey, setActiveKey] = useState(selected);
  const [shownSelection, setShownSelection] = useState(selected);
  if (selected !== shownSelection) {
    setShownSelection(selected);
    setActiveKey(selected);
  }
  // The first row when the top was left: what stands above it came in since. Undefined at the top.
  const [leftAt, setLeftAt] = useState<string>();
  const atTop = leftAt === undefined;
  const virtualizer = useVirtualRows({
    count: items.length,
    getScrollElement: () => scroller.current,
    // Stable while one scrolls: the places of all rows are worked out anew when these change.
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    getItemKey: useCallback((index: number) => keyAt(items, keyOf, index), [items, keyOf]),
    overscan: 8,
    // Away from the top the row that is read keeps its place when others come in above it.
    anchorTo: atTop ? 'start' : 'end',
  });
  const rows = virtualizer.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? -1;
  const { onEnd } = props;
  useEffect(() => {
    if (lastIndex >= 0 && lastIndex >= items.length - 5) onEnd?.();
  }, [lastIndex, items.length, onEnd]);

  const move = (to: (index: number) => number) => {
    const from = items.findIndex((item) => keyOf(item) === activeKey);
    const index = Math.max(0, Math.min(items.length - 1, to(from)));
    const item = items[index];
    if (item === undefined) return;
    setActiveKey(keyOf(item));
    virtualizer.scrollToIndex(index, { align: 'auto' });
    if (follow) (props.onMove ?? onOpen)(item);
  };
  const fold = (open: boolean) => {
    const item = items.find((candidate) => keyOf(candidate) === activeKey);
    if (item !== undefined) props.onFold?.(item, open);
  };
  const openActive = () => {
    const item = items.find((candidate) => keyOf(candidate) === activeKey);
    if (item !== undefined) onOpen(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const moves: Record<string, () => void> = {
      ArrowDown: () => move((index) => index + 1),
      ArrowUp: () => move((index) => index - 1),
      PageDown: () => move((index) => index + page),
      PageUp: () => move((index) => index - page),
      Home: () => move(() => 0),
      End: () => move(() => items.length - 1),
      Enter: openActive,
      ' ': openActive,
      ...(props.onFold === undefined ? {} : { ArrowRight: () => fold(true), ArrowLeft: () => fold(false) }),
    };
    const action = moves[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  useHotKeys(
    { j: () => move((index) => index + 1), k: () => move((index) => index - 1), Enter: openActive },
    { enabled: props.hotKeys ?? false },
  );
  const activeIndex = useIndexOf(items, keyOf, activeKey);
  const selectedIndex = useIndexOf(items, keyOf, props.reveal === true ? selected : undefined);
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    if (selectedIndex < 0 || revealed.current === selected) return;
    revealed.current = selected;
    virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, selected, virtualizer]);
  const unseen = Math.max(0, useIndexOf(items, keyOf, leftAt));
  const onScroll = (top: number) => {
    const first = items[0];
    if (top < 4 || first === undefined) setLeftAt(undefined);
    else if (atTop) setLeftAt(keyOf(first));
  };

  return (
    <div className="virtual-frame">
      {unseen > 0 && (
        <button type="button" className="virtual-news" onClick={() => virtualizer.scrollToIndex(0)}>
          {unseen} new {props.arrivedNoun ?? 'above'} ↑
        </button>
      )}
      <div
        ref={scroller}
        className="virtual-scroller"
        role={props.expanded === undefined && props.nodeOf === undefined ? 'listbox' : 'tree'}
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
      >
        <div className="virtual-space" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map((row) => {
            const item = items[row.index];
            if (item === undefined) return null;
            const key = keyOf(item);
            const state = { active: key === activeKey, selected: key === selected, arrived: arrived.has(key) };
            return (
              <div
                key={row.key}
                id={`${id}-${row.index}`}
                ref={virtualizer.measureElement}
                data-index={row.index}
                {...rowRole(props, item, key, state.selected)}
                aria-setsize={items.length}
                aria-posinset={row.index + 1}
                className={rowClass(state)}
                style={{ transform: `translateY(${row.start}px)` }}
                onClick={() => {
                  setActiveKey(key);
                  onOpen(item);
                }}
              >
                {props.renderRow(item, state)}
              </div>
            );
          })}
        </div>
        {props.foot !== undefined && <div className="virtual-foot">{props.foot}</div>}
      </div>
    </div>
  );
}

function rowRole<T>(
  { nodeOf, expanded }: Props<T>,
  item: T,
  key: string,
  selected: boolean,
): AriaAttributes & { role: string } {
  if (nodeOf !== undefined) {
    const { level, open } = nodeOf(item);
    return { role: 'treeitem', 'aria-level': level, 'aria-expanded': open, 'aria-selected': selected };
  }
  if (expanded === undefined) return { role: 'option', 'aria-selected': selected };
  return { role: 'treeitem', 'aria-expanded': expanded.has(key) };
}

/** -1 without a key, and when no item has it. */
function useIndexOf<T>(items: readonly T[], keyOf: (item: T) => string, key: string | undefined): number {
  return useMemo(() => (key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key)), [items, keyOf, key]);
}

function keyAt<T>(items: readonly T[], keyOf: (item: T) => string, index: number): string | number {
  const item = items[index];
  return item === undefined ? index : keyOf(item);
}

function rowClass(state: RowState): string {
  return `virtual-row${state.active ? ' active' : ''}${state.selected ? ' selected' : ''}${state.arrived ? ' arrived' : ''}`;
}
