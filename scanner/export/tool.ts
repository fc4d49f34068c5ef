import packageJson from '../package.json' with { type: 'json' };

/** The exporting program: the tool in SARIF, the product in OCSF. */
export const TOOL = { name: 'cspm', version: packageJson.version };
