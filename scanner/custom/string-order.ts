import { type CelFunc, celEnv } from '@bufbuild/cel';

const STANDARD = celEnv();

const ACCEPTED: ReadonlyMap<string, (difference: number) => boolean> = new Map([
  ['_<_(string,string)', (difference) => difference < 0],
  ['_<=_(string,string)', (difference) => difference <= 0],
  ['_>_(string,string)', (difference) => difference > 0],
  ['_>=_(string,string)', (difference) => difference >= 0],
]);

/** The comparisons of strings by code points, as CEL defines them. The library compares UTF-16 code units. */
export function codePointOrder(): CelFunc[] {
  return [...ACCEPTED].flatMap(([id, accepts]) =>
    [...(STANDARD.funcs.find(id.slice(0, id.indexOf('('))) ?? [])]
      .filter((one) => one.id === id)
      .map((one) => {
        const call: CelFunc['call'] = (at, target, args) => {
          const [left, right] = args;
          return typeof left === 'string' && typeof right === 'string'
            ? accepts(difference(left, right))
            : one.call(at, target, args);
        };
        return Object.create(one, { call: { value: call } });
      }),
  );
}

function difference(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

/** Surrogates encode the highest code points, but are not the highest units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}
