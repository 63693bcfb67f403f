import { useVirtualizer, type Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';

type Rows = Virtualizer<HTMLElement, Element>;
type Options = Partial<VirtualizerOptions<HTMLElement, Element>> &
  Pick<VirtualizerOptions<HTMLElement, Element>, 'count' | 'getScrollElement' | 'estimateSize'>;

/** The rows of a long list that are in view. */
export function useVirtualRows(options: Options): Rows {
  // The rule is about the React Compiler, which does not build this page; components that use this are not memoized.
  // eslint-disable-next-line react-hooks/incompatible-library
  return useVirtualizer<HTMLElement, Element>(options);
}
