import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Docker } from './docker.ts';

const PROJECT = 'cspm';
/** Debian's docker-compose is older than this member; `--project-name` has the same effect. */
const NAME = /^name: .*$/m;
/** The images of compose.yaml that Debian's packages stand in for. */
const STAND_INS = ['postgres:17-bookworm', 'redis:8-bookworm', 'nginx:1.29'];
const IMPORTED = 'services:debian';
export const NETWORK = `${PROJECT}_default`;
export const SERVERS = ['server-1', 'server-2'] as const;
/** The processes of the image that run until they are stopped. */
export const PROCESSES = [...SERVERS, 'worker'] as const;

/** compose.yaml, started. */
export class Topology {
  readonly url = 'http://127.0.0.1:8080';
  readonly settings: Readonly<Record<string, string>>;
  readonly #docker: Docker;
  readonly #root: string;
  readonly #files: readonly string[];

  private constructor(
    docker: Docker,
    root: string,
    files: readonly string[],
    settings: Readonly<Record<string, string>>,
  ) {
    this.#docker = docker;
    this.#root = root;
    this.#files = files;
    this.settings = settings;
  }

  /** Returns when docker-compose has seen every condition of `depends_on` hold. */
  static async start(
    docker: Docker,
    root: string,
    folder: string,
    archive: string,
  ): Promise<Topology> {
    await docker.run('import', archive, IMPORTED);
    for (const image of STAND_INS) await docker.run('tag', IMPORTED, image);
    const settings = newSettings();
    const environment = join(folder, 'compose.env');
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(environment, lines.join(''), { mode: 0o600 });
    const changes = join(folder, 'stand-ins.yaml');
    await writeFile(changes, stringify(await standIns(root, folder)));
    const composeFile = join(folder, 'compose.yaml');
    const text = await readFile(join(root, 'compose.yaml'), 'utf8');
    await writeFile(composeFile, text.replace(NAME, ''));
    const files = ['--file', composeFile, '--file', changes];
    const topology = new Topology(
      docker,
      root,
      ['--project-name', PROJECT, '--project-directory', root, '--env-file', environment, ...files],
      settings,
    );
    try {
      await topology.compose('up', '--detach', '--no-build');
    } catch (error) {
      throw new Error(`${error}\n${await topology.logs()}`);
    }
    return topology;
  }

  compose(...args: string[]): Promise<string> {
    return this.#docker.compose(this.#root, [...this.#files, ...args]);
  }

  /** The last lines of every container. */
  async logs(): Promise<string> {
    return (await this.compose('logs', '--no-color', '--tail', '20')).slice(-8_000);
  }

  /** The container of a service. */
  async container(service: string): Promise<string> {
    return (await this.compose('ps', '--quiet', service)).trim();
  }
}

function newSettings() {
  const secret = () => randomBytes(32).toString('hex');
  return {
    POSTGRES_PASSWORD: secret(),
    OWNER_PASSWORD: secret(),
    APP_PASSWORD: secret(),
    WORKER_PASSWORD: secret(),
    APP_SECRET: secret(),
    WEB_URL: 'https://posture.example.com',
    MAIL_URL: 'smtp://mail.example.com:587',
    BOOTSTRAP_EMAIL: 'admin@example.com',
    BOOTSTRAP_PASSWORD: secret(),
    PUBLISHED_PORT: '8080',
  };
}

/** Debian's nginx is older than 1.27.3 and looks names up once, when it starts. */
const LOOKED_UP_AGAIN = / resolve(?= max_fails)/g;

/** What Debian's packages need instead of the entry points of the official images. */
async function standIns(root: string, folder: string) {
  const text = await readFile(join(root, 'deploy/nginx.conf'), 'utf8');
  const configuration = join(folder, 'nginx.conf');
  await writeFile(configuration, text.replace(LOOKED_UP_AGAIN, ''));
  const entry = join(root, 'tests/image/postgres-entrypoint.sh');
  return {
    services: {
      postgres: {
        entrypoint: ['sh', '/entrypoint.sh'],
        volumes: [`${entry}:/entrypoint.sh:ro`],
      },
      // The official image turns the protected mode off, in which only loopback is served. docker-compose reads $$ as $.
      redis: { entrypoint: ['sh', '-c', 'exec "$$0" "$$@" --protected-mode no'] },
      proxy: {
        command: ['nginx', '-g', 'daemon off;'],
        volumes: [`${configuration}:/etc/nginx/nginx.conf:ro`],
      },
    },
  };
}
