import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { EngineParts } from '../engine-parts.ts';

/**
 * The same parts, with a listener that hears everything the engine announces, after it was announced. Properties that are
 * read anew each time stay so.
 */
export function withEventTap(parts: EngineParts, listen: (event: LiveEvent) => void): EngineParts {
  const { events } = parts;
  const publish = (event: LiveEvent): void => {
    events.publish(event);
    listen(event);
  };
  const descriptors = { ...Object.getOwnPropertyDescriptors(parts), events: { value: { publish }, enumerable: true } };
  // The properties are those of the parts, `events` among them.
  return Object.defineProperties({}, descriptors) as EngineParts;
}
