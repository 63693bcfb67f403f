import { useCallback, useState, type RefObject } from 'react';

/**
 * How far an element starts below the beginning of the scroller that it stands in, in CSS pixels; follows what grows
 * above it. The first value is a ref for the element.
 */
export function useOffsetWithin(
  scroller: RefObject<HTMLElement | null>,
): readonly [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [offset, setOffset] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      const outer = scroller.current;
      if (element === null || outer === null) return undefined;
      const measure = () => {
        const top = element.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
        setOffset(Math.round(top));
      };
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(outer);
      // The parts above the element: the only ones whose growth moves it.
      for (const part of outer.querySelectorAll('.call-top, .call-side, .decisions-sticky')) observer.observe(part);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return [ref, offset];
}
