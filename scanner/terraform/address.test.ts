import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import { Configuration, moduleOf } from './configuration.ts';

describe('an address of Terraform', () => {
  it('a Terraform address is split into names and keys for any content of a key', () => {
    expect(parseAddress('module.net["a.b[0]"].google_compute_firewall.ssh[2]')).toEqual([
      { name: 'module', key: null },
      { name: 'net', key: 'a.b[0]' },
      { name: 'google_compute_firewall', key: null },
      { name: 'ssh', key: '2' },
    ]);
  });

  it('a Terraform address with an expression as index is null', () => {
    expect(parseAddress('google_storage_bucket.logs[each.key]')).toBeNull();
    expect(parseAddress('a..b')).toBeNull();
  });

  it('a Terraform address contains the module instance of the resource', () => {
    expect(moduleOf('module.a["x"].module.b[0].google_storage_bucket.logs')).toEqual({
      address: 'module.a["x"].module.b[0]',
      calls: ['a', 'b'],
      keys: ['x', '0'],
    });
  });
});

describe('the configuration of a plan', () => {
  it('resolving variables of modules that refer to each other in a circle ends', () => {
    const circle = { expressions: { v: { references: ['module.m.o'] } } };
    const module = { outputs: { o: { expression: { references: ['var.v'] } } } };
    const configuration = new Configuration({
      configuration: { root_module: { module_calls: { m: { ...circle, module } } } },
    });
    const root = { module: { address: '', calls: [], keys: [] }, key: null };
    const referred = configuration.referred({ references: ['module.m.o'] }, null, root);
    expect(referred).toEqual({ resources: [], isComplete: false });
  });
});
