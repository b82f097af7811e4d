/**
 * A short digest of a password's hash, stored with sessions and refresh tokens: those with another mark than the current one
 * have ended (RFC 9700 4.14.2).
 */
import { createHash } from 'node:crypto'

/**
 * @param passwordHash PHC string, which has a new salt at every change; null where there is no password
 * @returns SHA-256, 43 characters of base64url
 * @example const isSamePassword = passwordMarkOf(row.passwordHash) === family.passwordMark
 */
export const passwordMarkOf = (passwordHash: string | null): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
