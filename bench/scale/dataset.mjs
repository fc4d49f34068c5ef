// The tenants and their sizes, as in reality: one very large tenant, some with a single finding.

/**
 * @typedef {object} Tenant
 * @property {number} n
 * @property {number} findings
 * @property {number} projects
 * @property {number} scans
 * @property {number} events
 */

const PER_PROJECT = 2_000;
const MAX_PROJECTS = 500;
const PER_SCAN = 100;
const EVENTS_PER_FINDING = 0.3;
const LARGEST_SHARE = 0.1;
const WITH_ONE_FINDING = 0.02;
/** The exponent by which tenants get smaller from rank to rank. */
const SLOPE = 0.7;

/**
 * The largest first: it has a tenth of all findings. The last have one each.
 * @param {{ tenants: number, findings: number }} scale
 * @returns {Tenant[]}
 */
export function datasetOf({ tenants, findings }) {
  const largest = Math.round(findings * LARGEST_SHARE);
  const single = Math.max(1, Math.round(tenants * WITH_ONE_FINDING));
  const weights = Array.from({ length: tenants - single - 1 }, (_, at) => (at + 1) ** -SLOPE);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const rest = findings - largest - single;
  const sizes = [
    largest,
    ...weights.map((weight) => Math.max(2, Math.round((rest * weight) / sum))),
    ...Array(single).fill(1),
  ];
  return sizes.map((size, n) => ({
    n,
    findings: size,
    projects: Math.min(MAX_PROJECTS, Math.ceil(size / PER_PROJECT)),
    scans: Math.max(10, Math.ceil(size / PER_SCAN)),
    events: Math.max(20, Math.round(size * EVENTS_PER_FINDING)),
  }));
}

/**
 * The tenants that are asked about.
 * @param {readonly Tenant[]} dataset
 */
export function subjectsOf(dataset) {
  return {
    largest: 0,
    middle: Math.floor(dataset.length / 2),
    single: dataset.length - 1,
  };
}
