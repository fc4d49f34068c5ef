// What other modules may import from this one, in addition to queries.ts.
export { demandMayGive } from './role-delegation.ts';
