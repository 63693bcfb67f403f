import { recallSources } from './recall-words.ts';
import type { RecallSource } from '../../src-shared/model/recall.ts';
import { recallPlace, type RecallPlace } from '../navigation/memory-place.ts';

/** The fields of the form as texts, as a person types them; empty where nothing is said. */
export interface RecallFields {
  readonly query: string;
  readonly user: string;
  readonly agent: string;
  readonly as: string;
  readonly session: string;
  readonly sources: ReadonlySet<RecallSource>;
  readonly kinds: string;
  readonly labels: string;
  readonly limit: string;
  readonly tokens: string;
  readonly min: string;
  readonly inactive: boolean;
}

export function recallFields(place: RecallPlace): RecallFields {
  return {
    query: place.query ?? '',
    user: place.user ?? '',
    agent: place.agent ?? '',
    as: place.as ?? '',
    session: place.session ?? '',
    sources: new Set(place.sources ?? recallSources),
    kinds: place.kinds?.join(', ') ?? '',
    labels: place.labels?.join(', ') ?? '',
    limit: place.limit?.toString() ?? '',
    tokens: place.tokens?.toString() ?? '',
    min: place.min?.toString() ?? '',
    inactive: place.inactive ?? false,
  };
}

/** The address of what was typed; values that mean nothing are as good as not said. */
export function recallPlaceOf(fields: RecallFields): RecallPlace {
  const search = new URLSearchParams();
  const texts = { q: fields.query, user: fields.user, agent: fields.agent, as: fields.as, session: fields.session };
  for (const [name, text] of Object.entries(texts)) search.set(name, text.trim());
  const everywhere = fields.sources.size === recallSources.length;
  search.set('sources', everywhere ? '' : [...fields.sources].join(','));
  search.set('kinds', fields.kinds);
  search.set('labels', fields.labels);
  search.set('limit', fields.limit.trim());
  search.set('tokens', fields.tokens.trim());
  search.set('min', fields.min.trim());
  search.set('inactive', fields.inactive ? 'yes' : '');
  return recallPlace(search);
}

export function hasRecallOptions(place: RecallPlace): boolean {
  return Object.keys(place).some((key) => key !== 'at' && key !== 'query');
}
