// npm run test:image: builds the Dockerfile and runs compose.yaml with it. It needs root, Debian and some of its
// packages, and skips itself with the reason elsewhere. Downloads are kept in ~/.cache/cspm.
import { testImage } from '../tests/image/run.ts';

process.exitCode = await testImage(process.argv.slice(2));
