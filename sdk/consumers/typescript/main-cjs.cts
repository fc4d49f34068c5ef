import sdk = require('@cspm/sdk');
import session = require('@cspm/sdk/session');
import upload = require('@cspm/sdk/upload');
import webhooks = require('@cspm/sdk/webhooks');

void import('./exercise.mjs')
  .then(({ exercise }) =>
    exercise({ ...sdk, ...session, ...upload, ...webhooks }, `${process.env['CSPM_URL']}-cjs`),
  )
  .then((seen) => console.log(JSON.stringify(seen)));
