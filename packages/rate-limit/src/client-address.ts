/** The address that a limit counts for. */
import { isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * IPv4 as it is; an IPv4 address in IPv6 dress as IPv4; IPv6 as its /64 network, which is what one subscriber gets
 * and can move about in freely. Anything else (a closed connection has no address) shares the key `unknown`.
 *
 * @example limitedAddress('2001:db8::1') // '2001:db8:0:0::/64'
 */
export const limitedAddress = (ip: string | undefined): string => {
  if (ip === undefined || ip === '' || ip.length > 64) return 'unknown'
  const mapped = MAPPED_IPV4.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const plain = ip.split('%')[0] ?? ip // without the interface of a link-local address
  if (!isIPv6(plain)) return ip
  return `${networkOf(plain)}::/64`
}

/** What one subscriber may have at most: the address itself for IPv4, the /48 network for IPv6. */
export const limitedNetwork = (ip: string | undefined): string => {
  const address = limitedAddress(ip)
  return address.endsWith('/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : address
}

/** The first four groups, written without leading zeros or "::". */
const networkOf = (ip: string): string => {
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted tail (64:ff9b::1.2.3.4) stands for two groups.
  const rightCount = right.length + (right.at(-1)?.includes('.') === true ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - left.length - rightCount
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
