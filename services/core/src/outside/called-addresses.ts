/**
 * What may be written as an address that is called: checked by its text alone, when it is written. What a host name leads to
 * is looked up and checked when it is called (outside.ts).
 */
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { createAddressCheck } from './address-check.ts'
import type { IsAllowedAddress } from './address-check.ts'
import { toCallableUrl } from './callable-url.ts'

/** Names of the machine itself (RFC 6761); every other name is looked up when it is called. */
const LOCALHOST = /(^|\.)localhost\.?$/

/** Why it may not be called, or undefined. */
export const refusalOfAddress = (address: string, isAllowed: IsAllowedAddress): string | undefined => {
  const url = toCallableUrl(address, isAllowed)
  if ('kind' in url) return url.message
  const isRefused = LOCALHOST.test(url.hostname) && !isAllowed('127.0.0.1')
  return isRefused ? 'the host is this machine, which may not be called' : undefined
}

/**
 * The rule of a type that has such addresses, in columns of the same names. `networks` is OUTSIDE_ALLOWED_NETWORKS.
 * @example rules: [calledAddresses('callback_url')]
 */
export const calledAddresses =
  (...names: readonly string[]): Rule =>
  ({ after, sent, allowedNetworks = [] }) => {
    const written = names.filter((name) => sent.has(name))
    if (written.length === 0) return {}
    const isAllowed = createAddressCheck(allowedNetworks)
    const violations = written.flatMap((name): readonly WriteViolation[] => {
      const { [name]: address } = after
      const message = typeof address === 'string' ? refusalOfAddress(address, isAllowed) : undefined
      // the value is left out: it may hold a password, and errors end in logs
      return message === undefined
        ? []
        : [{ at: { attribute: name }, error: 'invalid', message: `cannot be called: ${message}` }]
    })
    return { violations }
  }
