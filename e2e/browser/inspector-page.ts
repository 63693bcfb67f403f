import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A page of the inspector whose every complaint is collected. */
export interface InspectorPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Complaints since the last call. */
  readonly takeProblems: () => readonly string[];
  /** Answers with this status are part of what is checked; all others of 400 and above are complaints. */
  readonly allowStatus: (...statuses: number[]) => void;
  /** While true, requests may fail: the daemon is away on purpose. */
  readonly allowUnreachable: (allowed: boolean) => void;
}

export async function openInspectorPage(browser: Browser): Promise<InspectorPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  const problems: string[] = [];
  const allowed = new Set<number>();
  let mayBeAway = false;
  await context.exposeBinding('reportViolation', (_source, text: string) => {
    problems.push(`policy violation: ${text}`);
  });
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
  });`);
  const page = await context.newPage();
  page.setDefaultTimeout(5_000);
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser writes every refused or failed request here as well; those are judged below.
    if (/^Failed to load resource/.test(message.text())) return;
    problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && !allowed.has(response.status())) {
      problems.push(`${response.status()} for ${response.url()}`);
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving the page ends the live stream, and what was being read.
    if (reason === 'net::ERR_ABORTED' || mayBeAway) return;
    problems.push(`request failed: ${request.url()} ${reason}`);
  });
  return {
    page,
    context,
    takeProblems: () => problems.splice(0),
    allowStatus: (...statuses) => {
      allowed.clear();
      for (const status of statuses) allowed.add(status);
    },
    allowUnreachable: (value) => {
      mayBeAway = value;
    },
  };
}

/** Sideways scrolling of the page, in CSS pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Controls without a name for screen readers. */
export async function unnamedControls(page: Page): Promise<readonly string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, a[href], input, [role=listbox], [role=treegrid], [role=separator]')]
    .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.title))
    .map((element) => element.outerHTML.slice(0, 120))`);
}
