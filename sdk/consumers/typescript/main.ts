import * as sdk from '@cspm/sdk';
import { exercise } from './exercise.mjs';

console.log(JSON.stringify(await exercise(sdk, `${process.env['CSPM_URL']}-esm`)));
