import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet, Instance } from '../kit/fleet.ts';
import type { TestRedis } from '../kit/redis.ts';
import type { Balancer } from './balancer.ts';
import type { RestartablePostgres } from './postgres.ts';
import type { Random } from './random.ts';
import type { Violations } from './violations.ts';

const STARTS_WITHIN_MS = 60_000;

export interface FaultOptions {
  readonly fleet: Fleet;
  readonly postgres: RestartablePostgres;
  readonly redis: TestRedis;
  readonly balancer: Balancer;
  readonly violations: Violations;
  readonly random: Random;
  readonly say: (line: string) => void;
}

/** The faults to inject; each repairs what it broke before it returns. */
export class Faults {
  readonly counts = new Map<string, number>();
  readonly #fleet: Fleet;
  readonly #postgres: RestartablePostgres;
  readonly #redis: TestRedis;
  readonly #balancer: Balancer;
  readonly #violations: Violations;
  readonly #random: Random;
  readonly #say: (line: string) => void;

  constructor(options: FaultOptions) {
    this.#fleet = options.fleet;
    this.#postgres = options.postgres;
    this.#redis = options.redis;
    this.#balancer = options.balancer;
    this.#violations = options.violations;
    this.#random = options.random;
    this.#say = options.say;
  }

  /** Injects one fault of each kind, in random order and with pauses, and repeats until the time is over. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      for (const [name, inflict] of this.#random.shuffled(this.#kinds())) {
        const pauseMs = this.#random.between(1_000, 6_000);
        if (Date.now() + pauseMs > end) return;
        await delay(pauseMs);
        this.#balancer.fault = name;
        const begun = Date.now();
        await inflict();
        this.#balancer.fault = null;
        this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
        this.#say(`${name}, mended after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
      }
    }
  }

  #kinds(): [string, () => Promise<void>][] {
    // The last server and the last worker are never killed, so their memory can be observed.
    const server = () => this.#random.pick(this.#fleet.servers.slice(0, -1));
    const worker = () => this.#random.pick(this.#fleet.workers.slice(0, -1));
    const away = (most: number) => delay(this.#random.between(100, most));
    const restarted = async (instance: Instance) => {
      const ended = await instance.stop();
      this.#violations.demand(
        ended?.code === 0,
        'a process that did not leave as it was asked to',
        () => `${instance.name}: ${JSON.stringify(ended)}`,
      );
      await this.#started(instance);
    };
    const killed = async (instance: Instance) => {
      await this.#balancer.kill(instance);
      await away(2_000);
      await this.#started(instance);
    };
    return [
      ['a worker is killed', () => killed(worker())],
      ['a worker is killed again', () => killed(worker())],
      ['a worker is restarted', () => restarted(worker())],
      ['a server is restarted', () => restarted(server())],
      ['a server is restarted again', () => restarted(server())],
      ['a server is killed', () => killed(server())],
      [
        'Redis is killed',
        async () => {
          await this.#redis.kill();
          await away(4_000);
          await this.#redis.start();
        },
      ],
      [
        'Redis is frozen',
        async () => {
          this.#redis.freeze();
          await away(3_000);
          this.#redis.thaw();
        },
      ],
      [
        'Postgres is restarted',
        async () => {
          await this.#postgres.stop();
          await away(3_000);
          await this.#postgres.start();
        },
      ],
      [
        'Postgres is killed',
        async () => {
          await this.#postgres.kill();
          await away(3_000);
          await this.#postgres.start();
        },
      ],
      [
        'a backend of Postgres is killed',
        async () => {
          await this.#postgres.killBackend();
          await this.#postgres.start();
        },
      ],
      [
        'Postgres is killed, and a worker with it',
        async () => {
          const instance = worker();
          await Promise.all([this.#postgres.kill(), instance.kill()]);
          const started = this.#started(instance);
          await away(2_000);
          await this.#postgres.start();
          await started;
        },
      ],
    ];
  }

  /** Acts as a process supervisor: restarts a process that fails to start, up to a limit. */
  async #started(instance: Instance): Promise<void> {
    for (const deadline = Date.now() + STARTS_WITHIN_MS; ; await delay(500)) {
      try {
        return await instance.start();
      } catch (error) {
        if (Date.now() < deadline) continue;
        this.#violations.add('a process that does not start again', `${instance.name}: ${error}`);
        return;
      }
    }
  }
}
