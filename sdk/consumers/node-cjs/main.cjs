const sdk = {
  ...require('@cspm/sdk'),
  ...require('@cspm/sdk/session'),
  ...require('@cspm/sdk/upload'),
  ...require('@cspm/sdk/webhooks'),
};

import('./exercise.mjs')
  .then(({ exercise }) => exercise(sdk, process.env.CSPM_URL))
  .then((seen) => console.log(JSON.stringify(seen)));
