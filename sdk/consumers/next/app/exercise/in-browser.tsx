'use client';

import * as sdk from '@cspm/sdk';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import { useEffect } from 'react';
import { exercise } from '../../exercise.mjs';

/** Offers the exercise of all consumers to the program that opens the page. */
export function Exercise() {
  useEffect(() => {
    Object.assign(globalThis, {
      exercise: (url: string) => exercise({ ...sdk, ...session, ...upload, ...webhooks }, url),
    });
  }, []);
  return null;
}
