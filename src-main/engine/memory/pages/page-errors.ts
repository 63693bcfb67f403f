import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { StoredPage } from '../../ports/page-store.ts';
import type { PageProblem } from './grammar/read-page.ts';

export function unknownPage(uri: string, gone: StoredPage | undefined): EngineError {
  const message = gone
    ? `The file of ${uri} is not there any more. Its ${gone.version} versions are: restore one of them.`
    : `There is no page ${JSON.stringify(uri.slice(0, 500))}. GET /v1/pages lists those there are.`;
  return new EngineError('unknown_page', message, {
    details: { uri: uri.slice(0, 4_000), ...(gone ? { deleted: true, version: gone.version } : {}) },
  });
}

/** Somebody wrote meanwhile: the error carries what stands, so that the caller can show both. */
export function pageConflict(
  uri: string,
  seen: { readonly version: number | undefined; readonly hash?: string | undefined },
  stands: { readonly page: StoredPage; readonly content: string } | undefined,
): EngineError {
  const was = seen.version === undefined ? 'another content' : `version ${seen.version}`;
  const now = stands === undefined ? 'the page is not there any more' : `it is version ${stands.page.version} now`;
  return new EngineError(
    seen.version === 0 && stands ? 'page_exists' : 'page_conflict',
    seen.version === 0 && stands
      ? `There is a page ${uri} already, version ${stands.page.version}. Read it and base the change on that version, or choose another address.`
      : `The change of ${uri} is based on ${was}, but ${now}. Read it again and apply the change to what stands.`,
    {
      details: {
        uri,
        base_version: seen.version,
        version: stands?.page.version,
        content_hash: stands?.page.contentHash,
        content: stands?.content,
      },
    },
  );
}

export function invalidPage(uri: string, problem: PageProblem): EngineError {
  return new EngineError('invalid_page', `${uri} would be, or is, no page that can be read: ${problem.message}`, {
    details: { uri, problem: { ...problem } },
  });
}
