// Evaluates the rounds: the median ratio of our server to the best of each kind.
import { median } from '../numbers.mjs';

/** @typedef {import('./contest.mjs').Heat} Heat */
/** @typedef {import('./entrants.mjs').Entrant} Entrant */

/**
 * @typedef {object} Goal ours over theirs, whoever of that kind does best
 * @property {Entrant['kind']} against
 * @property {keyof import('../load.mjs').Load} unit
 * @property {string} words
 * @property {number} [most]
 * @property {number} [least]
 * @property {number} the least number of connections at which the ratio is checked; with fewer it is only shown
 */

/** @returns {readonly Goal[]} */
function goals({ cpu, perSecond, floor }) {
  const cpuMicros = { unit: 'cpuMicros', words: 'CPU a request over', from: 16 };
  return [
    { ...cpuMicros, against: 'prisma', most: cpu },
    {
      against: 'prisma',
      unit: 'perSecond',
      words: 'requests/s over',
      least: perSecond,
      from: 16,
    },
    { against: 'prisma', unit: 'p99Ms', words: 'p99 over', most: 1, from: 1 },
    { ...cpuMicros, against: 'drizzle', words: 'stretch: CPU a request over', most: 1.1 },
    { ...cpuMicros, against: 'floor', most: floor },
  ];
}

const READ = goals({ cpu: 0.5, perSecond: 1.8, floor: 2 });

/** @type {Readonly<Record<string, readonly Goal[]>>} */
const GOALS = {
  'GET /scans': READ,
  'GET /findings': READ,
  'GET /findings/summary': READ,
  'GET /scans/{id}/compliance': READ,
  'POST /projects': goals({ cpu: 0.6, perSecond: 1.7, floor: 2.3 }),
};

/**
 * @param {readonly Heat[]} heats
 * @param {readonly Entrant[]} entrants
 * @returns {import('../report.mjs').Row[]}
 */
export function verdicts(heats, entrants) {
  return heats.flatMap((heat) =>
    GOALS[heat.request].flatMap((goal) => {
      const rivals = entrants.filter(({ kind }) => kind === goal.against);
      return rivals.length === 0 ? [] : [verdict(heat, goal, rivals)];
    }),
  );
}

function verdict({ request, connections, rounds }, { unit, words, most, least, from }, rivals) {
  const ratios = rivals.map((rival) => ({
    rival,
    ratio: median(rounds['ours'].map((load, at) => load[unit] / rounds[rival.name][at][unit])),
  }));
  const pick = least === undefined ? Math.max : Math.min;
  const ratio = pick(...ratios.map((each) => each.ratio));
  const { rival } = ratios.find((each) => each.ratio === ratio);
  return {
    part: partOf({ request, connections }),
    what: `${words} ${rival.title}'s`,
    value: ratio.toFixed(2),
    ...(connections < from
      ? {}
      : {
          goal: least === undefined ? `≤ ${most.toFixed(2)}` : `≥ ${least.toFixed(2)}`,
          met: least === undefined ? ratio <= most : ratio >= least,
        }),
  };
}

/** @param {{ request: string, connections: number }} heat */
export function partOf({ request, connections }) {
  return `${request}, ${connections} conn.`;
}

/**
 * The median load of each participant in one heat.
 * @param {Heat} heat
 * @param {readonly Entrant[]} entrants
 * @returns {(import('../load.mjs').Load & { entrant: Entrant })[]}
 */
export function mediansOf({ rounds }, entrants) {
  return entrants.map((entrant) => {
    const of = (unit) => median(rounds[entrant.name].map((load) => load[unit]));
    return { entrant, cpuMicros: of('cpuMicros'), perSecond: of('perSecond'), p99Ms: of('p99Ms') };
  });
}

/**
 * @param {readonly Heat[]} heats
 * @param {readonly Entrant[]} entrants
 * @returns {string[][]} a table with its head
 */
export function measured(heats, entrants) {
  return [
    ['', 'server', 'CPU µs a request', 'requests/s', 'p99 ms'],
    ...heats.flatMap((heat) =>
      mediansOf(heat, entrants).map(({ entrant, cpuMicros, perSecond, p99Ms }) => [
        partOf(heat),
        entrant.title,
        cpuMicros.toFixed(0),
        perSecond.toFixed(0),
        p99Ms.toFixed(1),
      ]),
    ),
  ];
}
