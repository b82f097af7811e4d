/** Which addresses may be called: public ones, and those of networks that the operator lists. */
import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'

/** True when the address, IPv4 or IPv6 as text, may be called. */
export type IsAllowedAddress = (address: string) => boolean

/** Azure's metadata service has an address of a public range. */
const METADATA = ['168.63.129.16']

/** Only 2000::/3 is given out for public use; the rest is reserved, mapped or local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Private, loopback, link-local, carrier, multicast, translated and reserved ranges are not public. */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (address.range() !== 'unicast' || METADATA.includes(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

/**
 * An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) counts as the IPv4 address.
 * @param networks CIDR, as in OUTSIDE_ALLOWED_NETWORKS
 * @example createAddressCheck(['127.0.0.0/8'])('127.0.0.1') // true
 */
export const createAddressCheck = (networks: readonly string[]): IsAllowedAddress => {
  const allowed = new BlockList()
  for (const network of networks) {
    const [address, prefix] = ipaddr.parseCIDR(network)
    allowed.addSubnet(address.toString(), prefix, address.kind())
  }
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return isPublic(address) || allowed.check(address.toString(), address.kind())
  }
}
