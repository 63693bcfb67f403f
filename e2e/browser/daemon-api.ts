/** The daemon's routes as a host would call them: with the token file's token, over HTTP. */
export interface DaemonApi {
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
  put(path: string, body: unknown): Promise<Record<string, unknown>>;
  get(path: string): Promise<Record<string, unknown>>;
}

export function daemonApi(url: string, token: string): DaemonApi {
  const send = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    put: (path, body) => send(path, { method: 'PUT', body: JSON.stringify(body) }),
    get: (path) => send(path, { method: 'GET' }),
  };
}
