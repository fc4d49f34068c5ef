import { inject } from 'vitest';
import { runProgramsOf } from '../../server/platform/child-process/watched-process.ts';

// Makes child processes of every test file run the programs that were bundled at the start of the run.
runProgramsOf(inject('programs'));
