/**
 * The one way to write a JWS in compact form (RFC 7515 7.1): three parts of base64url without padding. Decoders are
 * lenient (padding, the other alphabet, unused bits of the last digit), and every other spelling of a token would be
 * another text for caches, logs and limits.
 */
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

export const isCompactForm = (token: string): boolean =>
  COMPACT.test(token) && token.split('.').every(isCanonical)
