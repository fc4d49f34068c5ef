// Starts the exchange thread where the server runs from its sources: a worker thread cannot have TypeScript as its entry point.
import { tsImport } from 'tsx/esm/api';

await tsImport('./exchange-worker.ts', import.meta.url);
