/** The Redis of docker-compose.yml holds tokens and codes, so it has a password, which every service sends. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

const compose = read('docker-compose.yml')
const replicas = read('infra/containers/compose.replicas.yml')
const secrets = read('infra/compose/make-secrets.mjs')

/** The lines of one service, up to the next one. */
const service = (name: string): string =>
  new RegExp(`^  ${name}:\\n(?:    .*\\n|\\n)+`, 'm').exec(compose)?.[0] ?? ''

it('starts with the file of settings that has the password', () => {
  expect(service('redis')).toMatch(/command:\n\s+- redis-server\n\s+- \/run\/secrets-of-merx\/redis\.conf\n/)
  expect(service('redis')).not.toMatch(/^\s+ports:/m)
  expect(secrets).toContain('`requirepass ${all.redis_password}`,')
  expect(secrets).toContain("'redis.conf': redisConf.join('\\n')")
})

it('is used by services with the password, from a file', () => {
  expect(secrets).toContain('`redis://:${all.redis_password}@${node}:6379`')
  expect(compose).toContain('REDIS_URL_FILE: /run/secrets-of-merx/redis_url')
  expect(compose + replicas).not.toMatch(/REDIS_URL:/)
})
