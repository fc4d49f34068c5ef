import { type DeploymentFiles, FILES, textOf } from './files.ts';

/** What nginx.conf says of the way to the servers. */
export interface ReverseProxy {
  readonly listens: number;
  readonly upstreams: readonly { readonly host: string; readonly port: number }[];
  /** What it sets the header to; null: it passes on what the client wrote. */
  readonly forwardedFor: string | null;
}

export function proxyOf(files: DeploymentFiles): ReverseProxy {
  const text = textOf(files, FILES.proxy).replaceAll(/#.*$/gm, '');
  const upstreams = text.matchAll(/^\s*server\s+([\w.-]+):(\d+)[^;{]*;/gm);
  return {
    listens: Number(/\blisten\s+(\d+)/.exec(text)?.[1]),
    upstreams: [...upstreams].map(([, host = '', port]) => ({ host, port: Number(port) })),
    forwardedFor: /proxy_set_header\s+X-Forwarded-For\s+(\S+);/i.exec(text)?.[1] ?? null,
  };
}
