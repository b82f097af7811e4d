/** The lookup of new connections: every address of the name is checked, and the connection is made to one of those. */
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { IsAllowedAddress } from './address-check.ts'
import type { ResolveName } from './resolve-name.ts'

/** The name leads into a network that is not allowed. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/**
 * One address that is not allowed refuses the name: which one a connection would take is not ours to bet on. The socket
 * connects to what this returns, without another lookup, so an answer that changes later (DNS rebinding) changes nothing.
 */
export const createPinnedLookup =
  (resolve: ResolveName, isAllowed: IsAllowedAddress): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined)
          done(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '')
        else if (!addresses.every(isAllowed)) done(new RefusedAddress(hostname), '')
        else if (options.all === true)
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ''),
    )
  }
