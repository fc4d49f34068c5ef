import packageJson from '../package.json' with { type: 'json' };

/** Who exports: what SARIF calls the tool, and OCSF the product. */
export const TOOL = { name: 'cspm', version: packageJson.version };
