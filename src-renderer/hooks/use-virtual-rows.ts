import { useVirtualizer, type Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';

type Rows = Virtualizer<HTMLElement, Element>;
type Options = Partial<VirtualizerOptions<HTMLElement, Element>> &
  Pick<VirtualizerOptions<HTMLElement, Element>, 'count' | 'getScrollElement' | 'estimateSize'>;

/** The rows of a long list that are in view. */
export function useVirtualRows(options: Options): Rows {
  return useVirtualizer<HTMLElement, Element>(options);
}
