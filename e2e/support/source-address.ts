/**
 * Rate limits count per IP address, so every connection of the tests comes from its own loopback address. Where only
 * 127.0.0.1 exists (macOS), MERX_E2E_SOURCE=header says it in X-Forwarded-For to a system started with TRUST_PROXY=1.
 */
import { createHash, randomBytes } from 'node:crypto'

let taken = 0

/** An address of 127.0.0.0/8 that no other connection of this run has, chances aside. */
export const freshAddress = (): string => {
  taken += 1
  const digest = createHash('sha256')
    .update(`${process.pid}.${taken}.${randomBytes(8).toString('hex')}`)
    .digest()
  const octet = (index: number) => 1 + ((digest[index] ?? 0) % 253)
  return `127.${octet(0)}.${octet(1)}.${octet(2)}`
}

/** True when the source address travels in a header because the machine has only one loopback address. */
export const isAddressInHeader = (): boolean => process.env['MERX_E2E_SOURCE'] === 'header'
