import * as sdk from '@cspm/sdk';
import { exercise } from './exercise.mjs';

export default {
  async fetch(_request, { CSPM_URL }) {
    return Response.json(await exercise(sdk, CSPM_URL));
  },
};
