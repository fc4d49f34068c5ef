import * as sdk from '@cspm/sdk';
import { exercise } from './exercise.mjs';

globalThis.exercise = (baseUrl) => exercise(sdk, baseUrl);
