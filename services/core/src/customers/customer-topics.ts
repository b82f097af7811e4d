import { isDeepStrictEqual } from 'node:util'
import type { Rule } from '@merx/jsonapi/rules'

/** A first password and changed metadata have events of their own (lifecycles.md 9). */
export const customerTopics: Rule = ({ before, after, sent }) => {
  const hadPassword = (before?.['password_hash'] ?? null) !== null
  const hasPassword = (after['password_hash'] ?? null) !== null
  const hasNewMetadata = before !== undefined && !isDeepStrictEqual(before['metadata'], after['metadata'])
  return {
    topics: [
      ...(sent.has('password') && hasPassword && !hadPassword ? ['customers.create_password'] : []),
      ...(sent.has('metadata') && hasNewMetadata ? ['customers.metadata_update'] : []),
    ],
  }
}
