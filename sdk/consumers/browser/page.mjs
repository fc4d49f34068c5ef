import * as sdk from '@cspm/sdk';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import { exercise } from './exercise.mjs';

globalThis.exercise = (baseUrl) =>
  exercise({ ...sdk, ...session, ...upload, ...webhooks }, baseUrl);
