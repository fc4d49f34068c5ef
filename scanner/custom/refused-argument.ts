/** Marks messages that reasons show as they are. They quote no value of the asset and contain no comma. */
const REFUSED = 'refused argument: ';

/** @param accepted what the function accepts: `portOpen() accepts ports from 0 to 65535` */
export function refusedArgument(accepted: string): Error {
  return new TypeError(REFUSED + accepted);
}

/** What the function accepts; null for any other error. */
export function acceptedOf(message: string): string | null {
  return message.startsWith(REFUSED) ? message.slice(REFUSED.length) : null;
}
