import * as sdk from '@cspm/sdk';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import { exercise } from './exercise.mjs';

console.log(
  JSON.stringify(
    await exercise(
      { ...sdk, ...session, ...upload, ...webhooks },
      `${process.env['CSPM_URL']}-esm`,
    ),
  ),
);
