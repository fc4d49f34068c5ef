// The rooms of the architecture, and the doors between them.
export default {
  forbidden: [
    {
      name: 'contract-is-a-promise-alone',
      comment: 'The contract runs in a browser and knows no server.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { pathNot: '^contract/|node_modules/(zod|@ts-rest/core)/' },
    },
    {
      name: 'scanner-is-a-pure-library',
      comment: 'Posture works offline: without server, database or packages.',
      severity: 'error',
      from: { path: '^scanner/', pathNot: '\\.(test|cases)\\.ts$|^scanner/testing/' },
      to: { pathNot: '^scanner/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'sdk-imports-nothing-at-run-time',
      comment: 'Whoever installs the SDK installs nothing else; it runs where there is no Node.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: '\\.test(-d)?\\.ts$' },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'server-does-not-know-the-sdk',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$' },
      to: { path: '^sdk/' },
    },
    {
      name: 'the-command-line-stands-on-two-libraries',
      comment: 'What it can do, the SDK and the scanner can do for others too.',
      severity: 'error',
      from: { path: '^cli/', pathNot: '\\.test\\.ts$|^cli/testing/' },
      to: { path: '^(contract|server)/' },
    },
    {
      name: 'ts-rest-stays-in-two-rooms',
      comment: 'It is hardly maintained, so that replacing it must stay possible.',
      severity: 'error',
      from: { pathNot: '^(contract|server/pipeline)/' },
      to: { path: 'node_modules/@ts-rest/' },
    },
    {
      name: 'workspaces-by-name',
      comment: 'One workspace enters another by its package name, never by a path.',
      severity: 'error',
      from: {
        path: '^(contract|scanner|server|sdk|cli)/',
        // Tests against the real server: of what the README says, in a browser, and of the command line.
        pathNot: '^(sdk|cli)/[a-z]+\\.test\\.ts$',
      },
      to: {
        path: '^(contract|scanner|server|sdk|cli)/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        // The SDK's name stands for its source, by tsconfig.json.
        dependencyTypesNot: ['aliased-tsconfig-paths'],
      },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: {
        pathNot:
          '\\.(test|cases)\\.ts$|/testing/|/conformance/|^scripts/(chaos|upgrade|test-upgrade)',
      },
      to: { path: '\\.test\\.ts$|/testing/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|generated' },
    exclude: { path: '(^|/)dist/|^bench/|^sdk/consumers/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'types'],
    },
  },
};
