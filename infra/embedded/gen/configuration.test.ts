import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { configSchema } from '@merx/auth/config'
import { loadConfig, type ConfigSchema } from '@merx/config/load-config'
import { coreConfigSchema } from '@merx/core/config'
import { metricsConfigSchema } from '@merx/metrics/config'
import { generated, replaceTable } from './configuration.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

describe('the lists of settings', () => {
  it.each(generated())('%s says what the code says today; else run npm run gen', (file, text) => {
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toBe(text)
  })

  it('need both marks in a page', () => {
    expect(() => replaceTable('no marks', 'table', 'x/README.md')).toThrow('x/README.md needs the marks')
  })
})

const SECRETS = { SERVICE_KEY: 'k3y-of-the-services-1', ID_SECRET: 'an-id-secret-of-enough-length-0123' }

/** What each service requires, as somebody who copies .env.example would set it. */
const REQUIRED: readonly [string, ConfigSchema, Record<string, string>][] = [
  [
    'auth',
    configSchema,
    {
      AUTH_DATABASE_URL: 'postgresql://h/d',
      CORE_INTERNAL_URL: 'http://c',
      SERVICE_KEY: SECRETS.SERVICE_KEY,
    },
  ],
  ['core', coreConfigSchema, { CORE_DATABASE_URL: 'postgresql://h/d', ...SECRETS }],
  ['metrics', metricsConfigSchema, { SERVICE_KEY: SECRETS.SERVICE_KEY }],
]

describe('.env.example', () => {
  it.each(REQUIRED)(
    'of %s leaves open exactly what must be set, and is complete with it',
    (name, schema, given) => {
      const example = readFileSync(path.join(ROOT, 'services', name, '.env.example'), 'utf8')
      const open = parseEnv(example)
      expect(Object.keys(open).toSorted()).toEqual(Object.keys(given).toSorted())
      expect(Object.values(open).every((value) => value === '')).toBe(true)
      expect(() => loadConfig(schema, { ...open, ...given })).not.toThrow()
    },
  )
})
