let target = { baseUrl: '', apiKey: '' };

/** Where the generated functions send their requests, and as whom. */
export function aimAt(baseUrl: string, apiKey: string): void {
  target = { baseUrl, apiKey };
}

/** What orval's functions call in the place of fetch. They say nothing of addresses, credentials and errors. */
export async function orvalFetch<T>(path: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set('X-API-Key', target.apiKey);
  const response = await fetch(target.baseUrl + path, { ...init, headers });
  const isJson = /json$/.test(response.headers.get('Content-Type')?.split(';')[0] ?? '');
  const data: unknown = isJson ? await response.json() : await response.text();
  return { data, status: response.status, headers: response.headers } as T;
}
