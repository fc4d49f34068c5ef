module.exports = {
  cspm: {
    input: 'dist/openapi.json',
    output: {
      target: 'dist/orval/client.ts',
      client: 'fetch',
      override: { mutator: { path: 'uses/orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
};
