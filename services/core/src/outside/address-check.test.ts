import { createAddressCheck } from './address-check.ts'

const isAllowed = createAddressCheck([])

test.each([
  ['this host', '0.0.0.0'],
  ['loopback', '127.0.0.1'],
  ['loopback elsewhere in its range', '127.8.9.10'],
  ['private 10', '10.1.2.3'],
  ['private 172', '172.16.0.1'],
  ['private 192', '192.168.1.1'],
  ['link-local, metadata of most clouds', '169.254.169.254'],
  ['carrier-grade NAT, metadata of Alibaba', '100.100.100.200'],
  ['protocol assignments, metadata of Oracle', '192.0.0.192'],
  ['metadata of Azure', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped private, in hex', '::ffff:a00:1'],
  ['IPv4-compatible loopback', '::127.0.0.1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4 of a private address', '2002:0a00:0001::1'],
  ['Teredo', '2001:0:1::1'],
  ['unique local, metadata of AWS', 'fd00:ec2::254'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['no address', 'example.com'],
  ['nothing', ''],
])('refuses %s', (_name, address) => {
  expect(isAllowed(address)).toBe(false)
})

test.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('allows %s', (address) => {
  expect(isAllowed(address)).toBe(true)
})

test('allows what the operator lists, however it is written, and nothing next to it', () => {
  const allows = createAddressCheck(['127.0.0.0/8', '10.1.0.0/16', 'fd00:1::/32'])
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.255', 'fd00:1::9', '8.8.8.8'])
    expect([address, allows(address)]).toEqual([address, true])
  for (const address of ['10.2.0.1', 'fd00:2::9', '::1', '169.254.169.254'])
    expect([address, allows(address)]).toEqual([address, false])
})
