// Which part of the repository may import which. Type imports count.
const TEST_CODE = '\\.(test|test-d|cases)\\.ts$|/testing/|/conformance/';
// Entry points of separate processes or threads; each start pays for what they import.
const PROGRAMS = '-child\\.ts$|-worker(-from-source)?\\.(ts|mjs)$';
/** Run-time dependencies that a library may have without burdening its users. */
const SCANNER_PACKAGES = ['@bufbuild/cel', '@bufbuild/re2', '@bufbuild/protobuf'];
/** Folders of subpaths, with the peer dependency of each. */
const SUBPATH_PACKAGES = { 'react-query': '@tanstack/react-query', schemas: 'zod', mock: 'msw' };
const SUBPATH_FOLDERS = `^sdk/src/(${Object.keys(SUBPATH_PACKAGES).join('|')})/`;
const SUBPATHS = [...Object.keys(SUBPATH_PACKAGES), 'upload'].join('|');
const packages = (names) => `node_modules/(${names.join('|')})/`;

export default {
  forbidden: [
    {
      name: 'contract-imports-zod-and-ts-rest-only',
      comment: 'The contract also runs in browsers.',
      severity: 'error',
      from: { path: '^contract/', pathNot: TEST_CODE },
      to: { pathNot: `^contract/|${packages(['zod', '@ts-rest/core'])}` },
    },
    {
      name: 'scanner-is-a-pure-library',
      comment: 'Rules run offline, without a server or a database.',
      severity: 'error',
      from: { path: '^scanner/', pathNot: TEST_CODE },
      to: {
        pathNot: `^scanner/|${packages(SCANNER_PACKAGES)}`,
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'google-cloud-imports-the-scanner-only',
      comment: 'The command line and the server share it.',
      severity: 'error',
      from: { path: '^google-cloud/', pathNot: TEST_CODE },
      to: {
        pathNot: `^(google-cloud|scanner)/|${packages(['google-auth-library'])}`,
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'google-auth-library-stays-in-google-cloud',
      comment: 'Credentials are checked there before the library sees them.',
      severity: 'error',
      from: { pathNot: '^google-cloud/' },
      to: { path: 'node_modules/google-auth-library/' },
    },
    {
      name: 'sdk-imports-no-package',
      comment: 'Users of the SDK install nothing else, and it runs without Node.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: `${TEST_CODE}|${SUBPATH_FOLDERS}` },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'sdk-subpaths-import-their-packages-only',
      comment: 'A subpath may use an optional peer dependency.',
      severity: 'error',
      from: { path: SUBPATH_FOLDERS, pathNot: TEST_CODE },
      to: { pathNot: `^sdk/src/|${packages(Object.values(SUBPATH_PACKAGES))}` },
    },
    {
      name: 'sdk-client-imports-no-subpath',
      comment: 'A subpath must cost nothing where it is not imported.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: `${TEST_CODE}|^sdk/src/(${SUBPATHS})/` },
      to: { path: `^sdk/src/(${SUBPATHS})/` },
    },
    {
      name: 'server-does-not-import-the-sdk',
      severity: 'error',
      from: { path: '^server/', pathNot: TEST_CODE },
      to: { path: '^sdk/' },
    },
    {
      name: 'cli-imports-sdk-and-scanner-only',
      comment: 'What the command line can do, users of the libraries can do too.',
      severity: 'error',
      from: { path: '^cli/', pathNot: TEST_CODE },
      to: { path: '^(contract|server)/' },
    },
    {
      name: 'http-does-not-import-modules',
      comment:
        'The stages of a request work for every resource. The composition root injects the rest.',
      severity: 'error',
      from: { path: '^server/http/', pathNot: TEST_CODE },
      to: { path: '^server/', pathNot: '^server/(http|platform)/' },
    },
    {
      name: 'modules-import-modules-and-platform-only',
      severity: 'error',
      from: { path: '^server/modules/', pathNot: TEST_CODE },
      to: { path: '^server/', pathNot: '^server/(modules|platform|node_modules)/' },
    },
    {
      name: 'modules-import-other-modules-by-index-or-queries',
      comment: 'What a module offers to others is listed in its index.ts and queries.ts.',
      severity: 'error',
      from: { path: '^server/modules/([^/]+)/', pathNot: `${TEST_CODE}|${PROGRAMS}` },
      to: {
        path: '^server/modules/',
        pathNot: '^server/modules/$1/|^server/modules/[^/]+/(index|queries)\\.ts$',
      },
    },
    {
      name: 'platform-imports-platform-only',
      comment: 'The platform knows no resource.',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: TEST_CODE },
      to: { path: '^server/', pathNot: '^server/platform/' },
    },
    {
      name: 'development-code-stays-apart',
      comment: 'Only a start without a configured database uses it.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `${TEST_CODE}|^server/(start|administration|development)/`,
      },
      to: { path: '^server/development/' },
    },
    {
      name: 'ts-rest-stays-in-contract-and-http',
      comment: 'It is hardly maintained, so it must stay replaceable.',
      severity: 'error',
      from: { pathNot: '^(contract|server/http)/' },
      to: { path: 'node_modules/@ts-rest/' },
    },
    {
      name: 'console-imports-the-sdk-only',
      comment: 'What the console can do, every user of the SDK can do too.',
      severity: 'error',
      from: { path: '^console/', pathNot: TEST_CODE },
      to: { path: '^(contract|scanner|google-cloud|server|cli)/' },
    },
    {
      name: 'console-screens-stay-apart',
      comment:
        'Each screen loads alone. What several screens share lives in ui/, lib/ or beside them.',
      severity: 'error',
      from: { path: '^console/src/screens/([^/]+)/', pathNot: TEST_CODE },
      to: { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
    },
    {
      name: 'workspaces-by-name',
      comment: 'A workspace imports another by its package name, never by a path.',
      severity: 'error',
      from: {
        path: '^(contract|scanner|google-cloud|server|sdk|cli|console)/',
        // Tests of the SDK and of the command line that run against the real server.
        pathNot: '^(sdk|cli)/[a-z]+\\.test\\.ts$',
      },
      to: {
        path: '^(contract|scanner|google-cloud|server|sdk|cli)/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        // The name of the SDK is an alias of its source, see tsconfig.json.
        dependencyTypesNot: ['aliased-tsconfig-paths'],
      },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: {
        pathNot: `${TEST_CODE}|^tests/|^tools/(new|release)/|^scripts/(chaos|fake-google|release|soak|test-(image|schemathesis|third-parties|upgrade))\\.ts$|-test-harness\\.ts$`,
      },
      to: { path: '\\.test\\.ts$|/testing/|^tests/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      // Bundles that are built before they are imported.
      from: { pathNot: '^scripts/(admin|cspm|start)\\.mjs$' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|generated' },
    exclude: { path: '^(dist|cli/dist|sdk/dist|bench|sdk/consumers)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'types'],
    },
  },
};
