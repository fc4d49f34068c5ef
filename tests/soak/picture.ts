import { seriesOf } from './judge.ts';
import type { Sample } from './samples.ts';
import type { Point } from './trend.ts';

const PANEL = { width: 440, head: 44, plot: 120, label: 48, foot: 22 };
const GAP = 16;
const COLORS = ['a', 'b', 'c', 'd'];

/** Readable on light and dark pages. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .head { font-weight: 600; font-size: 13px }
  .axis { stroke: #d0d7de }
  polyline { fill: none; stroke-width: 1.5 }
  .a { stroke: #0969da } .b { stroke: #bc4c00 } .c { stroke: #1a7f37 } .d { stroke: #8250df }
  tspan.a { fill: #0969da; stroke: none } tspan.b { fill: #bc4c00; stroke: none }
  tspan.c { fill: #1a7f37; stroke: none } tspan.d { fill: #8250df; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .axis { stroke: #57606a }
    .a { stroke: #4493f8 } .b { stroke: #f0883e } .c { stroke: #3fb950 } .d { stroke: #ab7df8 }
    tspan.a { fill: #4493f8 } tspan.b { fill: #f0883e } tspan.c { fill: #3fb950 } tspan.d { fill: #ab7df8 }
  }`;

interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Panel {
  readonly head: string;
  readonly words: string;
  readonly lines: readonly Line[];
}

/** Line charts of a run, as an SVG. */
export function picture(samples: readonly Sample[], processes: readonly string[]): string {
  const ofProcesses = (end: string): Line[] =>
    processes.map((name) => ({ name, points: seriesOf(samples, `${name} ${end}`) }));
  const of = (...columns: readonly string[]): Line[] =>
    columns.map((column) => ({ name: column, points: seriesOf(samples, column) }));
  const panels: Panel[] = [
    { head: 'Resident memory', words: 'MiB', lines: ofProcesses('rss MiB') },
    { head: 'Heap in use', words: 'MiB', lines: ofProcesses('heap MiB') },
    {
      head: 'Connections of the pools',
      words: 'of each process',
      lines: ofProcesses('pool connections'),
    },
    {
      head: 'Event-loop delay',
      words: 'p99, ms (not judged)',
      lines: ofProcesses('event loop p99 ms'),
    },
    {
      head: 'Tables and indexes',
      words: 'MiB (the load adds rows)',
      lines: of('table MiB', 'index MiB'),
    },
    {
      head: 'Space for each live row',
      words: 'bytes, tables and indexes',
      lines: of('bytes a live row'),
    },
    { head: 'Dead rows', words: '% of all rows', lines: of('dead rows %') },
    {
      head: 'Latency of requests',
      words: 'ms (not judged)',
      lines: of('latency p50 ms', 'latency p99 ms'),
    },
  ];
  const height = PANEL.head + PANEL.plot + PANEL.foot + GAP;
  const drawn = panels.map((panel, index) => {
    const [x, y] = [(index % 2) * (PANEL.width + GAP), Math.floor(index / 2) * height];
    return `<g transform="translate(${x} ${y})">${drawPanel(panel)}</g>`;
  });
  const size = [2 * PANEL.width + GAP, Math.ceil(panels.length / 2) * height - GAP] as const;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" role="img">`,
    '<title>Memory, connections, tables and latency during a soak</title>',
    `<style>${STYLE}\n</style>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ head, words, lines }: Panel): string {
  const points = lines.flatMap((line) => line.points).filter(({ value }) => Number.isFinite(value));
  const most = rounded(Math.max(1, ...points.map(({ value }) => value)));
  const times = points.map(({ atMs }) => atMs);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const bottom = PANEL.head + PANEL.plot;
  const x = (atMs: number) =>
    PANEL.label + ((PANEL.width - PANEL.label) * (atMs - first)) / Math.max(1, last - first);
  const y = (value: number) => bottom - (PANEL.plot * value) / most;
  const curves = lines.map(({ points: own }, index) => {
    const places = own
      .filter(({ value }) => Number.isFinite(value))
      .map(({ atMs, value }) => `${x(atMs).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline class="${COLORS[index]}" points="${places.join(' ')}"/>`;
  });
  const legend = lines.map(({ name }, index) => `<tspan class="${COLORS[index]}">${name}</tspan>`);
  const scale = [0, most / 2, most].map(
    (value) =>
      `<text x="${PANEL.label - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value}</text>` +
      `<line class="axis" x1="${PANEL.label}" x2="${PANEL.width}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/>`,
  );
  return [
    `<text class="head" x="0" y="14">${head}</text>`,
    `<text x="0" y="31">${words}${lines.length > 1 ? `: ${legend.join(', ')}` : ''}</text>`,
    ...scale,
    ...curves,
    `<text x="${PANEL.label}" y="${bottom + 16}">0</text>`,
    `<text x="${PANEL.width}" y="${bottom + 16}" text-anchor="end">${((last - first) / 60_000).toFixed(0)} minutes</text>`,
  ].join('\n');
}

/** The next round number, so that its half is readable too. */
function rounded(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}
