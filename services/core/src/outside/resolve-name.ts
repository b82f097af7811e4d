/** Host name → its addresses, without holding up the rest of the process when a name server does not answer. */
import { lookup, Resolver } from 'node:dns/promises'
import pLimit from 'p-limit'

/** All addresses of the name, IPv4 first. Throws an error with `code` ENOTFOUND when it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const TIMEOUT_MS = 2_000
/** What the system is asked for after the name servers: the hosts file, names without a domain. */
const UNKNOWN_TO_SERVERS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'ESERVFAIL'])

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/**
 * Asks the name servers over sockets of its own (c-ares). Only a name that they do not know goes to the system, which knows
 * the hosts file: the system's lookups occupy threads that files and password hashes need too, so there is one at a time.
 */
export const createSystemResolver = (): ResolveName => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  const oneAtATime = pLimit(1)
  const fromServers = async (name: string): Promise<readonly string[]> => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return found
  }
  return async (name) => {
    try {
      return await fromServers(name)
    } catch (error) {
      if (!UNKNOWN_TO_SERVERS.has(codeOf(error))) throw error
      const found = await oneAtATime(() => lookup(name, { all: true, order: 'ipv4first' }))
      return found.map(({ address }) => address)
    }
  }
}
