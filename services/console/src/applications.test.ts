import { parseApplications } from './applications.ts'

const entry = {
  organization: 'shop',
  mode: 'test',
  client_id: 'client',
  client_secret: 'secret',
  redirect_uri: 'https://shop.example/console/callback',
}

const reasonOf = (value: unknown): string => {
  const parsed = parseApplications(typeof value === 'string' ? value : JSON.stringify(value))
  return parsed.ok ? 'none' : parsed.reason
}

describe('the credentials of the console', () => {
  it('are a list, which may be empty', () => {
    expect(parseApplications('[]')).toEqual({ ok: true, value: [] })
    expect(parseApplications(JSON.stringify([entry]))).toEqual({
      ok: true,
      value: [
        {
          organization: 'shop',
          mode: 'test',
          clientId: 'client',
          clientSecret: 'secret',
          redirectUri: 'https://shop.example/console/callback',
        },
      ],
    })
  })

  it.each([
    ['{', 'is not a JSON list'],
    [{}, 'is not a JSON list'],
    [[null], 'entry 1 needs the texts organization, mode, client_id, client_secret, redirect_uri'],
    [
      [{ ...entry, client_secret: '' }],
      'entry 1 needs the texts organization, mode, client_id, client_secret, redirect_uri',
    ],
    [[{ ...entry, mode: 'both' }], 'entry 1 has a mode other than test or live'],
    [[{ ...entry, organization: 'My Shop' }], 'entry 1 has an organization that is not a slug'],
    [[{ ...entry, redirect_uri: 'shop' }], 'entry 1 has a redirect_uri that is not a URL'],
    [
      [{ ...entry, redirect_uri: 'https://shop.example/' }],
      'entry 1 has a redirect_uri whose path is not /console/callback',
    ],
    [[entry, entry], 'has shop test twice'],
  ])('are refused as %j, without a word of what is secret', (value, reason) => {
    expect(reasonOf(value)).toBe(reason)
  })
})
