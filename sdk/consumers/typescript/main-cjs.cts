import sdk = require('@cspm/sdk');

void import('./exercise.mjs')
  .then(({ exercise }) => exercise(sdk, `${process.env['CSPM_URL']}-cjs`))
  .then((seen) => console.log(JSON.stringify(seen)));
