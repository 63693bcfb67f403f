import { EngineError } from '../../src-shared/model/engine-error.ts';

/** What the window shows when the engine could not start: the reason with its remedy, and nothing that could act. */
export function startFailurePage(error: unknown): Response {
  const code = error instanceof EngineError ? error.code : 'internal';
  const message =
    error instanceof EngineError
      ? error.message
      : 'Something unexpected happened at the start. The terminal that started Strata shows it in full.';
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <title>Strata did not start</title>
    <style>
      body { font: 15px/1.6 system-ui, sans-serif; max-width: 44em; margin: 15vh auto 0; padding: 0 2em; }
      h1 { font-size: 1.3em; }
      code { font-size: 0.9em; }
    </style>
  </head>
  <body>
    <h1>Strata did not start</h1>
    <p>${escapeHtml(message)}</p>
    <p><code>${code}</code> · Close this window, mend it, then start Strata again. <code>npm run strata -- doctor</code> checks everything.</p>
  </body>
</html>
`;
  return new Response(page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
