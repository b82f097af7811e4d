import type { Rule } from '@merx/jsonapi/rules'
import { hashPassword as hashOf } from '@merx/passwords/passwords'

/** Stores the hash of a password that was sent; sending null removes it. */
export const hashPassword =
  (attribute: string, column: string): Rule =>
  async ({ sent, after, writer }) => {
    if (!sent.has(attribute)) return {}
    const password = after[column]
    return {
      set: {
        [column]:
          typeof password === 'string'
            ? await hashOf(password, { isBackground: writer.isImport === true })
            : null,
      },
    }
  }
