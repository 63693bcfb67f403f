import { EngineError } from '../../../src-shared/model/engine-error.ts';

/**
 * Refuses what a web page elsewhere, or a name that was rebound to this machine, makes a browser send.
 * The Host check comes first and carries the weight: a rebound GET has no Origin.
 * @param port the port the server really listens on
 * @throws EngineError `forbidden_host` or `forbidden_origin`
 */
export function checkOrigin(header: (name: string) => string | undefined, port: number): void {
  const hosts = allowedHosts(port);
  const host = header('host');
  if (host === undefined || !hosts.includes(host.toLowerCase())) {
    throw new EngineError(
      'forbidden_host',
      `Expected the header Host to be ${hosts.join(' or ')}, got ${quoted(host)}. Call Strata by its address on this machine.`,
    );
  }
  const origin = header('origin');
  if (origin !== undefined && !hosts.some((allowed) => origin.toLowerCase() === `http://${allowed}`)) {
    throw new EngineError(
      'forbidden_origin',
      `Requests of web pages other than Strata's own are refused; this one came from ${quoted(origin)}.`,
    );
  }
  const site = header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new EngineError(
      'forbidden_origin',
      `Requests of web pages other than Strata's own are refused; the browser calls this one ${quoted(site)}.`,
    );
  }
}

function allowedHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
}

function quoted(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value.slice(0, 200));
}
