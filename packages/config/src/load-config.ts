/** Environment → one frozen, typed object, or every violation at once. */
import { ConfigError } from './config-error.ts'
import type { Field } from './field.ts'
import { readVariable } from './read-variable.ts'

/** Environment names and what each may hold. */
export type ConfigSchema = Readonly<Record<string, Field<unknown>>>

/** `AUTH_DATABASE_URL` gives `authDatabaseUrl`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>

/** What loadConfig gives for a schema. */
export type Config<S extends ConfigSchema> = {
  readonly [Name in keyof S as CamelCase<Name & string>]: S[Name] extends Field<infer T> ? T : never
}

/** Where the process gets its variables from. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A check across variables: undefined when fine, else a sentence that names the variables and what is allowed. */
export type ConfigRule<S extends ConfigSchema> = (
  config: Config<S>,
  facts: { readonly isProduction: boolean },
) => string | undefined

const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase())

/** Words of keys that were copied from an example; production refuses secrets with them. */
const EXAMPLE_SECRET = /change.?me|development|example|insecure|password|placeholder|your.?secret/i

/** One character over and over keeps nobody out. */
const DISTINCT_CHARACTERS_MIN = 6

const weaknessOf = (raw: string, field: Field<unknown>): string | undefined => {
  if (raw === field.developmentText) return 'is the development key, which production refuses'
  if (EXAMPLE_SECRET.test(raw)) return 'looks like an example, which production refuses'
  if (new Set(raw).size < DISTINCT_CHARACTERS_MIN) {
    return `has fewer than ${DISTINCT_CHARACTERS_MIN} different characters, which production refuses`
  }
  return undefined
}

type Outcome = { readonly value: unknown } | { readonly violation: string }

const readField = (name: string, field: Field<unknown>, env: Environment, isProduction: boolean): Outcome => {
  const raw = readVariable(name, env)
  if ('violation' in raw) return raw
  const text = raw.text ?? field.defaultText ?? (isProduction ? undefined : field.developmentText)
  if (text === undefined) {
    return field.isOptional
      ? { value: undefined }
      : { violation: `${name} is missing; allowed: ${field.allowed}` }
  }
  const parsed = field.parse(text)
  if (!parsed.ok) return { violation: `${name} ${parsed.reason}; allowed: ${field.allowed}` }
  const weakness = isProduction && field.isSecret ? weaknessOf(text, field) : undefined
  if (weakness !== undefined) return { violation: `${name} ${weakness}; allowed: ${field.allowed}, random` }
  return { value: parsed.value }
}

/**
 * Reads the variables of `schema` from `env`. Throws ConfigError with all violations; `rules` are asked only when
 * every variable alone is fine. Production is NODE_ENV=production. `NAME_FILE` may name a file that holds the value.
 *
 *     const config = loadConfig({ PORT: port({ default: 3001 }), SERVICE_KEY: secret() }, process.env)
 *     config.port        // 3001
 *     config.serviceKey  // Secret
 */
export const loadConfig = <const S extends ConfigSchema>(
  schema: S,
  env: Environment,
  rules: readonly ConfigRule<S>[] = [],
): Config<S> => {
  const isProduction = env.NODE_ENV === 'production'
  const outcomes = Object.entries(schema).map(
    ([name, field]) => [name, readField(name, field, env, isProduction)] as const,
  )
  const violations = outcomes.flatMap(([, outcome]) => ('violation' in outcome ? [outcome.violation] : []))
  if (violations.length > 0) throw new ConfigError(violations)
  const values = outcomes.map(([name, outcome]) => [
    camelCase(name),
    'value' in outcome ? outcome.value : undefined,
  ])
  const config = Object.fromEntries(values) as Config<S>
  Object.freeze(config)
  const broken = rules.map((rule) => rule(config, { isProduction })).filter((text) => text !== undefined)
  if (broken.length > 0) throw new ConfigError(broken)
  return config
}
