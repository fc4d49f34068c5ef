// A bar chart of the race, as an SVG that is readable on light and dark pages.
import { mediansOf } from './verdict.mjs';

const PANEL = { width: 440, head: 44, bar: 16, step: 24, label: 128, value: 64 };
const GAP = 16;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .head { font-weight: 600; font-size: 13px }
  .bar { fill: #afb8c1 }
  .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .bar { fill: #57606a }
    .ours { fill: #4493f8 }
  }`;

const UNITS = [
  { unit: 'cpuMicros', words: 'CPU of the server a request, µs (less is better)' },
  { unit: 'perSecond', words: 'requests a second (more is better)' },
];

/**
 * One row of panels for each request, at the highest number of connections.
 * @param {readonly import('./contest.mjs').Heat[]} heats
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants
 * @returns {string}
 */
export function picture(heats, entrants) {
  const connections = Math.max(...heats.map((heat) => heat.connections));
  const shown = heats.filter((heat) => heat.connections === connections);
  const panelHeight = PANEL.head + entrants.length * PANEL.step + GAP;
  const panels = shown.flatMap((heat, row) =>
    UNITS.map(({ unit, words }, column) => {
      const x = column * (PANEL.width + GAP);
      const y = row * panelHeight;
      const title = [`${heat.request}, ${connections} connections`, words];
      return `<g transform="translate(${x} ${y})">${panel(title, barsOf(heat, entrants, unit))}</g>`;
    }),
  );
  const width = UNITS.length * (PANEL.width + GAP) - GAP;
  const height = shown.length * panelHeight - GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>This server against the same service in other frameworks</title>',
    `<style>${STYLE}\n</style>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function barsOf(heat, entrants, unit) {
  return mediansOf(heat, entrants).map(({ entrant, [unit]: value }) => ({ entrant, value }));
}

function panel([head, words], bars) {
  const most = Math.max(...bars.map(({ value }) => value));
  const room = PANEL.width - PANEL.label - PANEL.value;
  const lines = bars.map(({ entrant, value }, at) => {
    const y = PANEL.head + at * PANEL.step;
    const long = Math.max(1, (room * value) / most).toFixed(1);
    const middle = y + PANEL.bar - 4;
    return [
      `<text x="${PANEL.label - 8}" y="${middle}" text-anchor="end">${escaped(entrant.title)}</text>`,
      `<rect class="${entrant.kind === 'ours' ? 'ours' : 'bar'}" x="${PANEL.label}" y="${y}" width="${long}" height="${PANEL.bar}" rx="2"/>`,
      `<text x="${PANEL.label + Number(long) + 6}" y="${middle}">${value.toFixed(0)}</text>`,
    ].join('');
  });
  return [
    `<text class="head" x="0" y="14">${escaped(head)}</text>`,
    `<text x="0" y="31">${escaped(words)}</text>`,
    ...lines,
  ].join('\n');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
