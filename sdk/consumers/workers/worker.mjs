import * as sdk from '@cspm/sdk';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import { exercise } from './exercise.mjs';

export default {
  async fetch(_request, { CSPM_URL }) {
    return Response.json(await exercise({ ...sdk, ...session, ...upload, ...webhooks }, CSPM_URL));
  },
};
