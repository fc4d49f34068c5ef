// Starts the XML thread where the server runs from its sources: a worker thread cannot have TypeScript as its entry point.
import { tsImport } from 'tsx/esm/api';

await tsImport('./xml-worker.ts', import.meta.url);
