const sdk = require('@cspm/sdk');

import('./exercise.mjs')
  .then(({ exercise }) => exercise(sdk, process.env.CSPM_URL))
  .then((seen) => console.log(JSON.stringify(seen)));
