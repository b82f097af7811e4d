import { describeConfig, renderEnvExample } from './describe-config.ts'
import { oneOf, port, secret, text, url } from './fields.ts'
import { loadConfig } from './load-config.ts'

const schema = {
  PORT: port({ default: 3_001, help: 'where it listens' }),
  DATABASE_URL: url({ help: 'its database' }),
  REDIS_URL: url({ optional: true }),
  SERVICE_KEY: secret({ developmentDefault: 'merx-development-service-key', help: 'between services' }),
  MODE: oneOf(['a|b', 'c'], { default: 'c' }),
}

describe('describeConfig', () => {
  it('renders a row a variable, without showing a development key', () => {
    expect(describeConfig(schema)).toBe(
      [
        '| Variable | For | Allowed | Default |',
        '|---|---|---|---|',
        '| `PORT` | where it listens | a port, 0 to 65535 | `3001` |',
        '| `DATABASE_URL` | its database | a URL | **required** |',
        '| `REDIS_URL` |  | a URL | none |',
        '| `SERVICE_KEY` | between services | a secret of 16 to 4096 characters | a development key; required in production |',
        '| `MODE` |  | one of a\\|b, c | `c` |',
        '',
      ].join('\n'),
    )
  })
})

describe('renderEnvExample', () => {
  it('leaves only what is required uncommented', () => {
    expect(renderEnvExample(schema)).toBe(
      [
        '# where it listens; a port, 0 to 65535',
        '#PORT=3001',
        '',
        '# its database; a URL',
        'DATABASE_URL=',
        '',
        '# a URL',
        '#REDIS_URL=',
        '',
        '# between services; a secret of 16 to 4096 characters',
        '#SERVICE_KEY=',
        '',
        '# one of a|b, c',
        '#MODE=c',
        '',
      ].join('\n'),
    )
  })

  it('holds defaults that load', () => {
    const env = { NAME: text({ default: 'merx' }) }
    const value = renderEnvExample(env).split('#NAME=')[1]?.trim()
    expect(loadConfig(env, { NAME: value })).toEqual({ name: 'merx' })
  })
})
