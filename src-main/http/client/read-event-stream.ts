import { EventSourceParserStream } from 'eventsource-parser/stream';
import { liveEventSchema, type LiveEvent } from '../../../src-shared/model/events.ts';

export interface StreamedEvent {
  /** To resume after: the `lastEventId` of the next call. */
  readonly id: string;
  readonly event: LiveEvent;
}

/** Events of one response, until it ends or `signal` aborts. Kinds that this version does not know are left out. */
export async function* readEventStream(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedEvent> {
  if (!response.body) return;
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  try {
    for await (const frame of frames) {
      const event = liveEventSchema.safeParse(JSON.parse(frame.data));
      if (event.success) yield { id: frame.id ?? '', event: event.data };
    }
  } catch (error) {
    // Ending is what the caller asked for; the stream reports it as a failure.
    if (!signal?.aborted) throw error;
  }
}
