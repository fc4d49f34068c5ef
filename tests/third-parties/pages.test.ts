import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const PROGRAMS = {
  python: ['python/main.py'],
  go: ['go/oapi/main.go', 'go/ogen/main.go'],
  java: ['java/src/main/java/example/Main.java'],
  rust: ['rust/build.rs', 'rust/src/main.rs'],
};

describe('the pages about generated clients', () => {
  it.each(Object.entries(PROGRAMS))(
    'the page about generated clients quotes only tested code in %s',
    async (language, paths) => {
      const programs = await Promise.all(
        paths.map((path) => readFile(new URL(`tests/third-parties/${path}`, ROOT), 'utf8')),
      );
      const page = await readFile(new URL(`docs/clients/${language}.md`, ROOT), 'utf8');
      const excerpts = [...page.matchAll(/^```(?:python|go|java|rust)\n([\s\S]*?)^```/gm)];
      expect(excerpts.length).toBeGreaterThan(4);
      for (const [, excerpt = ''] of excerpts) {
        expect(programs.some((program) => program.includes(excerpt))).toBe(true);
      }
    },
  );
});
