import { useStore } from 'zustand';
import { PlaceLink } from '../components/PlaceLink.tsx';
import { useApp } from '../hooks/app-context.ts';

/** From everywhere: background work gave up and waits for a person. */
export function DeadJobsChip() {
  const { stores } = useApp();
  const alarm = useStore(stores.health, (state) => state.value?.alarms.find((one) => one.code === 'jobs_dead'));
  if (alarm === undefined) return null;
  return (
    <PlaceLink
      place={{ at: 'jobs', state: 'dead' }}
      className={`chip ${alarm.severity === 'danger' ? 'danger' : 'warn'}`}
      title={alarm.message}
    >
      Jobs gave up
    </PlaceLink>
  );
}
