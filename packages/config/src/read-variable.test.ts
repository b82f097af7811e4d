import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ConfigError } from './config-error.ts'
import { secret, text } from './fields.ts'
import { loadConfig } from './load-config.ts'

describe('a variable from a file', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-config-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const file = (name: string, content: string): string => {
    const target = path.join(folder, name)
    writeFileSync(target, content)
    return target
  }

  const schema = { SERVICE_KEY: secret(), HOST: text({ default: '0.0.0.0' }) }

  it('is its content, without the line end', () => {
    const config = loadConfig(schema, { SERVICE_KEY_FILE: file('key', 'a-key-of-sixteen-letters\n') })
    expect(config.serviceKey.reveal()).toBe('a-key-of-sixteen-letters')
    expect(config.host).toBe('0.0.0.0')
  })

  it('is checked as one from the environment, without being quoted', () => {
    const load = () => loadConfig(schema, { SERVICE_KEY_FILE: file('short', 'short') })
    expect(load).toThrow(/SERVICE_KEY .*allowed/)
    expect(load).not.toThrow(/"short"/)
  })

  it('is refused together with the variable itself, when it is missing, empty or too long; all at once', () => {
    const load = () =>
      loadConfig(
        { ...schema, A: text(), B: text(), C: text() },
        {
          SERVICE_KEY: 'a-key-of-sixteen-letters',
          SERVICE_KEY_FILE: file('key', 'a-key-of-sixteen-letters'),
          A_FILE: path.join(folder, 'none'),
          B_FILE: file('empty', ' \n'),
          C_FILE: file('long', 'x'.repeat(65_537)),
        },
      )
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(/SERVICE_KEY_FILE and SERVICE_KEY are both set; allowed: one/)
    expect(load).toThrow(/A_FILE names .*none, which cannot be read \(ENOENT\)/)
    expect(load).toThrow(/B_FILE names .*empty, which is empty/)
    expect(load).toThrow(/C_FILE names .*long, which is too long; allowed: 65536 bytes/)
    expect(load).not.toThrow(/A is missing/)
  })

  it('counts for nothing when the variable of the path is empty', () => {
    expect(loadConfig({ HOST: text({ default: 'x' }) }, { HOST_FILE: ' ' }).host).toBe('x')
  })
})
