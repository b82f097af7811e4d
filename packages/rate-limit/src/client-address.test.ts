import { limitedAddress, limitedNetwork } from './client-address.ts'

describe('limited network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    [undefined, 'unknown'],
  ])('%s is in %s', (ip, expected) => {
    expect(limitedNetwork(ip)).toBe(expected)
  })
})

describe('limited address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['x'.repeat(65), 'unknown'],
  ])('%s counts as %s', (ip, expected) => {
    expect(limitedAddress(ip)).toBe(expected)
  })
})
