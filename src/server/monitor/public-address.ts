import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that are not for the public: this machine, its networks, clouds' metadata, and what maps to them. */
const closed = new BlockList();
const v4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
for (const [net, bits] of v4) closed.addSubnet(net, bits, 'ipv4');

const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
const closed6 = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed6.addSubnet(net, bits, 'ipv6');

/**
 * Whether an address is one of the public internet. Addresses that carry another within (mapped, 6to4, Teredo) are not.
 *
 * @source IANA special-purpose address registries (RFC 6890)
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  return isIPv6(address)
    ? open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
    : !closed.check(address, 'ipv4');
}
