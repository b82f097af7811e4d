/** Checks the address of a call before anything is connected: its form, and the address when it names one. */
import { isIP } from 'node:net'
import type { IsAllowedAddress } from './address-check.ts'
import { failedFor } from './outside-errors.ts'
import { failed } from './result.ts'
import type { Failed } from './result.ts'

/**
 * A host that is an address needs no lookup, so it is checked here; URL has brought forms such as `http://2130706433` and
 * `http://0x7f.1` into their usual one.
 */
export const toCallableUrl = (text: string, isAllowed: IsAllowedAddress): URL | Failed => {
  if (!URL.canParse(text)) return failed('invalid_url', 'the address is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failed('invalid_url', 'the address must begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    return failed('invalid_url', 'the address must not hold a user name or password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isAllowed(host) ? failedFor('refused_address') : url
}
