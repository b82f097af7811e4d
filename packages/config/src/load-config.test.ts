import { inspect } from 'node:util'
import { ConfigError } from './config-error.ts'
import { domain, flag, integer, oneOf, port, secret, url, urls } from './fields.ts'
import { loadConfig, type ConfigRule, type Environment } from './load-config.ts'
import type { Secret } from './secret.ts'

const DEVELOPMENT_KEY = 'merx-development-service-key'

const schema = {
  PORT: port({ default: 3_001 }),
  AUTH_DATABASE_URL: url({ protocols: ['postgres'] }),
  REDIS_URL: urls({ optional: true }),
  SERVICE_KEY: secret({ developmentDefault: DEVELOPMENT_KEY }),
  LOG_LEVEL: oneOf(['info', 'debug'], { default: 'info' }),
  MERX_DOMAIN: domain({ default: 'merx.localhost' }),
  TRUST_PROXY: integer({ min: 0, default: 0 }),
  IS_QUIET: flag({ optional: true }),
}

const database = { AUTH_DATABASE_URL: 'postgres://u:hunter2@h/d' }
const production = { ...database, NODE_ENV: 'production', SERVICE_KEY: 'q8Zr1mXvT0aYc5LwKd3p' }

const violationsOf = (env: Environment, rules?: readonly ConfigRule<typeof schema>[]): readonly string[] => {
  try {
    loadConfig(schema, env, rules)
  } catch (error) {
    if (error instanceof ConfigError) return error.violations
    throw error
  }
  return []
}

describe('loadConfig', () => {
  it('gives every variable a typed field in camel case, defaults filled in', () => {
    const config = loadConfig(schema, { ...database, REDIS_URL: 'redis://a,redis://b', IS_QUIET: 'true' })
    const typed: {
      readonly port: number
      readonly authDatabaseUrl: string
      readonly redisUrl: readonly string[] | undefined
      readonly serviceKey: Secret
      readonly logLevel: 'info' | 'debug'
      readonly merxDomain: string
      readonly trustProxy: number
      readonly isQuiet: boolean | undefined
    } = config
    expect({ ...typed, serviceKey: typed.serviceKey.reveal() }).toEqual({
      port: 3_001,
      authDatabaseUrl: 'postgres://u:hunter2@h/d',
      redisUrl: ['redis://a', 'redis://b'],
      serviceKey: DEVELOPMENT_KEY,
      logLevel: 'info',
      merxDomain: 'merx.localhost',
      trustProxy: 0,
      isQuiet: true,
    })
  })

  it('gives undefined for optional variables that are absent', () => {
    expect(loadConfig(schema, database).redisUrl).toBeUndefined()
  })

  it.each(['', '   '])('takes "%s" as absent', (value) => {
    expect(loadConfig(schema, { ...database, PORT: value, REDIS_URL: value })).toMatchObject({ port: 3_001 })
  })

  it('ignores blanks around a value', () => {
    expect(loadConfig(schema, { ...database, PORT: ' 80 ' }).port).toBe(80)
  })

  it('cannot be changed afterwards', () => {
    const config = loadConfig(schema, database)
    expect(Object.isFrozen(config)).toBe(true)
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
  })

  it('reports all violations at once, each with the name and what is allowed', () => {
    const env = {
      PORT: '70000',
      REDIS_URL: 'redis://a,b',
      SERVICE_KEY: 'short',
      LOG_LEVEL: 'loud',
      MERX_DOMAIN: '*',
    }
    expect(violationsOf(env)).toEqual([
      'PORT is "70000"; allowed: a port, 0 to 65535',
      'AUTH_DATABASE_URL is missing; allowed: a URL with the protocol postgres',
      'REDIS_URL entry 2 is not a URL; allowed: 1 to 50 URLs separated by commas',
      'SERVICE_KEY has 5 characters; allowed: a secret of 16 to 4096 characters',
      'LOG_LEVEL is "loud"; allowed: one of info, debug',
      'MERX_DOMAIN is "*"; allowed: a host name without protocol, port or wildcard',
    ])
  })

  it('says them in the message, one a line', () => {
    expect(() => loadConfig(schema, { PORT: 'x' })).toThrow(
      'the configuration is not valid:\n' +
        '  - PORT is "x"; allowed: a port, 0 to 65535\n' +
        '  - AUTH_DATABASE_URL is missing; allowed: a URL with the protocol postgres',
    )
  })

  it('never prints a secret', () => {
    const config = loadConfig(schema, { ...database, SERVICE_KEY: 'hunter2-hunter2-hunter2' })
    expect(inspect(config.serviceKey) + JSON.stringify(config.serviceKey)).not.toContain('hunter2')
    const violations = violationsOf({ SERVICE_KEY: 'hunter2', AUTH_DATABASE_URL: 'mysql://u:hunter2@h' })
    expect(violations).toHaveLength(2)
    expect(violations.join()).not.toContain('hunter2')
  })
})

describe('production', () => {
  it('starts on a random key', () => {
    expect(violationsOf(production)).toEqual([])
  })

  it.each([
    ['no key', undefined, 'SERVICE_KEY is missing'],
    ['the development key', DEVELOPMENT_KEY, 'SERVICE_KEY is the development key, which production refuses'],
    [
      'a key from an example',
      'please-change-me-now',
      'SERVICE_KEY looks like an example, which production refuses',
    ],
    ['one character repeated', 'a'.repeat(32), 'SERVICE_KEY has fewer than 6 different characters'],
  ])('refuses %s', (_name, key, violation) => {
    const violations = violationsOf({ ...production, SERVICE_KEY: key })
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(violation)
  })

  it.each([undefined, 'development', 'test'])(
    'is not NODE_ENV=%s, which starts on the development key',
    (env) => {
      expect(violationsOf({ ...database, NODE_ENV: env })).toEqual([])
    },
  )
})

describe('rules across variables', () => {
  const noLocalDomain: ConfigRule<typeof schema> = ({ merxDomain }, { isProduction }) =>
    isProduction && merxDomain.endsWith('.localhost')
      ? 'MERX_DOMAIN is local; allowed in production: a public host name'
      : undefined
  const never: ConfigRule<typeof schema> = () => 'PORT and TRUST_PROXY exclude each other'

  it('are asked with the whole configuration and whether it is production', () => {
    expect(violationsOf(database, [noLocalDomain])).toEqual([])
    expect(violationsOf(production, [noLocalDomain])).toEqual([
      'MERX_DOMAIN is local; allowed in production: a public host name',
    ])
  })

  it('are reported all at once', () => {
    expect(violationsOf(production, [noLocalDomain, never])).toHaveLength(2)
  })

  it('are not asked while a variable alone is wrong', () => {
    expect(violationsOf({ ...database, PORT: 'x' }, [never])).toEqual([
      'PORT is "x"; allowed: a port, 0 to 65535',
    ])
  })
})
