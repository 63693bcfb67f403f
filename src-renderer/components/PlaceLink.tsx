import type { MouseEvent, ReactNode } from 'react';
import { useApp } from '../hooks/app-context.ts';
import { formatPlace, type Place } from '../navigation/place.ts';

interface Props {
  readonly place: Place;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: boolean;
  readonly title?: string;
}

/** A real link with an address, that does not load the page anew. */
export function PlaceLink({ place, children, className = 'link', current = false, title }: Props) {
  const { navigation } = useApp();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigation.go(place);
  };
  return (
    <a
      href={formatPlace(place)}
      className={className}
      title={title}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
