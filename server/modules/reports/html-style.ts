/** The style sheet of a report, on screen and on paper. It names no font file and no image. */
export const STYLE = `
:root { color-scheme: light; --ink: #1b2430; --soft: #5b6470; --line: #d5dae1; --accent: #1d4ed8; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem; max-width: 70rem; color: var(--ink); background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header { border-bottom: 3px solid var(--accent); margin-bottom: 1.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; break-after: avoid; }
p { margin: .3rem 0 .8rem; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0 0 1.5rem; }
dt { color: var(--soft); }
dd { margin: 0; }
dd, td, .name { overflow-wrap: anywhere; unicode-bidi: isolate; }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.figures li { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; min-width: 7rem; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; break-inside: avoid; }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; height: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .88em ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
.evidence { display: block; color: var(--soft); }
.tag { display: inline-block; border: 1px solid currentcolor; border-radius: 4px; padding: 0 .4rem;
  font-size: .85rem; font-weight: 600; white-space: nowrap; }
.critical { color: #8e1b6b; } .high, .fail { color: #c0281c; } .medium, .unknown { color: #a05a00; }
.low { color: #1f6f8b; } .info, .na, .manual { color: #5b6470; } .pass { color: #1a7f37; }
@page { margin: 16mm 14mm; }
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .risks, .requirements { break-before: page; }
}
`;
