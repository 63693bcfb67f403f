import { useStore } from 'zustand';
import { Icon, type IconName } from '../components/Icon.tsx';
import { PlaceLink } from '../components/PlaceLink.tsx';
import { useApp } from '../hooks/app-context.ts';
import type { Place } from '../navigation/place.ts';

const views: readonly { readonly place: Place; readonly name: string; readonly icon: IconName }[] = [
  { place: { at: 'overview' }, name: 'Overview', icon: 'overview' },
  { place: { at: 'sessions' }, name: 'Sessions', icon: 'sessions' },
  { place: { at: 'memory' }, name: 'Memory', icon: 'memory' },
  { place: { at: 'recall' }, name: 'Recall', icon: 'recall' },
  { place: { at: 'jobs' }, name: 'Jobs', icon: 'jobs' },
];

/** The views of the product. One that is not built yet is not shown. */
export function Rail() {
  const { navigation, stores } = useApp();
  const at = useStore(navigation, (state) => state.place.at);
  const alarmed = useStore(
    stores.health,
    (state) => state.value?.alarms.some((one) => one.code === 'jobs_dead') ?? false,
  );
  const view = viewOf(at);
  return (
    <nav className="rail" aria-label="Views">
      <span className="rail-logo" aria-hidden="true">
        <svg width="22" height="22" viewBox="0 0 22 22">
          <path d="M2 5.5h18M2 11h18M2 16.5h18" stroke="currentColor" strokeWidth="3" opacity="0.9" />
          <path d="M2 11h11" stroke="var(--accent)" strokeWidth="3" />
        </svg>
      </span>
      {views.map(({ place, name, icon }) => (
        <PlaceLink key={name} place={place} className="rail-item" current={view === place.at}>
          <Icon name={icon} />
          <span>{name}</span>
          {place.at === 'jobs' && alarmed && (
            <>
              <span className="rail-alarm" />
              <span className="visually-hidden">some gave up</span>
            </>
          )}
        </PlaceLink>
      ))}
    </nav>
  );
}

/** The view that a place belongs to. */
function viewOf(at: Place['at']): Place['at'] {
  if (at === 'session' || at === 'call' || at === 'checkpoint') return 'sessions';
  return at === 'operations' ? 'memory' : at;
}
