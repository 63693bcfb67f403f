import { useCallback, useState } from 'react';

/**
 * How far an element starts below the beginning of the scroller that it stands in, in CSS pixels; follows what grows
 * above it. The first value is a ref for the element.
 */
export function useOffsetWithin(
  scroller: HTMLElement | null,
): readonly [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [offset, setOffset] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || scroller === null) return undefined;
      const measure = () => {
        const top = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
        setOffset(Math.round(top));
      };
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(scroller);
      // The parts above the element: the only ones whose growth moves it.
      for (const part of scroller.querySelectorAll('.call-top, .call-side, .decisions-sticky')) observer.observe(part);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return [ref, offset];
}
