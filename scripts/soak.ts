// npm run soak -- --minutes 60: mixed load on two servers and two workers. Exits with 1 when memory, connections or
// bloat grow, or when a response is unexpected. Writes soak.csv and soak.svg to dist/soak.
import { soak } from '../tests/soak/run.ts';

process.exit(await soak(process.argv.slice(2)));
