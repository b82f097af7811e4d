import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * The one Ajv: unknown keywords and formats in a schema fail at compile time, all violations are collected, nothing is
 * coerced, defaulted or removed, and no schema is fetched.
 */
export const ajv = new Ajv({
  strict: true,
  strictRequired: false, // conditional parts require properties that another part declares
  allowUnionTypes: true,
  allErrors: true,
  verbose: true, // violations name what is allowed, which only the schema knows
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
})

addFormats.default(ajv, { mode: 'full', keywords: false })
