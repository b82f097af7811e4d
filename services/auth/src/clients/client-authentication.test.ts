import { AppError } from '@merx/errors/app-error'
import { authenticateClient, presentedClient } from './client-authentication.ts'
import { createOpaqueToken, hashOpaqueToken } from './client-secret.ts'
import type { Credential, CredentialKind } from './credential.ts'

const SECRET = createOpaqueToken()

const credentialOf = (kind: CredentialKind, changes: Partial<Credential> = {}): Credential => ({
  id: 'enWoxFMOnp',
  clientId: createOpaqueToken(),
  name: 'shop',
  kind,
  mode: 'test',
  secretHash: hashOpaqueToken(SECRET),
  isDisabled: false,
  organization: { id: 'orgorgorgo', slug: 'shop', isEnterprise: false, region: 'eu-west-1' },
  ...changes,
})

const readerOf = (...credentials: Credential[]) => ({
  lookedUp: [] as string[],
  async findByClientId(clientId: string) {
    this.lookedUp.push(clientId)
    return credentials.find((credential) => credential.clientId === clientId)
  },
})

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`

const refusalOf = async (act: () => unknown): Promise<AppError> => {
  try {
    await act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const rules = { isSecretRequired: false }
/** For the log alone. */
const [WRONG, UNKNOWN] = ['secret missing or wrong', 'unknown or disabled client']

describe('the client a request presents', () => {
  it('is taken from the body', () => {
    expect(presentedClient(undefined, { client_id: 'a', client_secret: 'b' })).toEqual({
      clientId: 'a',
      clientSecret: 'b',
      method: 'body',
    })
  })

  it('is taken from HTTP Basic, each half form-decoded (RFC 6749 2.3.1)', () => {
    expect(presentedClient(basic('a%3Ab:c+d%25'), {})).toEqual({
      clientId: 'a:b',
      clientSecret: 'c d%',
      method: 'basic',
    })
  })

  it('may repeat its id in the body with HTTP Basic', () => {
    expect(presentedClient(basic('a:b'), { client_id: 'a' })).toMatchObject({ clientId: 'a' })
  })

  it('has no secret when the Basic password is empty', () => {
    expect(presentedClient(basic('a:'), {})).toEqual({ clientId: 'a', method: 'basic' })
  })

  it('is known by its id alone, without a secret', () => {
    expect(presentedClient(undefined, { client_id: 'a' })).toStrictEqual({ clientId: 'a', method: 'body' })
  })

  it.each(['basic', 'BASIC'])('may stand after any spaces, in any case: %s', (scheme) => {
    const header = basic('a:b').replace('Basic ', `${scheme}   `)
    expect(presentedClient(header, {})).toMatchObject({ clientId: 'a', clientSecret: 'b' })
  })

  it.each([
    [
      'a secret in header and body',
      { client_secret: 'b' },
      'The client authenticates in two ways; use either the Authorization header or client_secret in the body.',
    ],
    [
      'two different ids',
      { client_id: 'c' },
      'client_id in the body differs from the client in the Authorization header.',
    ],
  ])('is refused as invalid_request with %s', async (_name, body, detail) => {
    const refusal = await refusalOf(() => presentedClient(basic('a:b'), body))
    expect(refusal).toMatchObject({ code: 'invalid_request', detail })
  })

  it.each([
    ['another scheme', 'Bearer abc', 'not a Basic header'],
    ['no colon', basic('abc'), 'no colon in the Basic pair'],
    ['an empty id', basic(':b'), 'no colon in the Basic pair'],
    ['broken percent-encoding', basic('a:%zz'), 'percent-encoding of the Basic pair'],
    ['text that is not base64', 'Basic ###', 'not a Basic header'],
    ['nothing after the scheme', 'Basic ', 'not a Basic header'],
    ['something before the scheme', `Bearer x, ${basic('a:b')}`, 'not a Basic header'],
    ['something after the pair', `${basic('a:b')}, Bearer x`, 'not a Basic header'],
  ])('is refused with a Basic challenge for %s', async (_name, header, cause) => {
    expect(await refusalOf(() => presentedClient(header, {}))).toMatchObject({
      code: 'invalid_client',
      headers: { 'WWW-Authenticate': 'Basic realm="merx", charset="UTF-8"' },
      cause,
    })
  })

  it('is refused when there is none', async () => {
    const refusal = await refusalOf(() => presentedClient(undefined, {}))
    expect(refusal).toMatchObject({ code: 'invalid_client', cause: 'no client_id' })
    expect(refusal.headers).toBeUndefined()
  })
})

describe('client authentication', () => {
  it('takes a sales channel with its id alone, as not confidential', async () => {
    const credential = credentialOf('sales_channel')
    const presented = { clientId: credential.clientId, method: 'body' } as const
    expect(await authenticateClient(presented, rules, readerOf(credential))).toEqual({
      credential,
      isConfidential: false,
    })
  })

  it.each(['sales_channel', 'integration', 'webapp'] as const)(
    'takes a %s with its secret, as confidential',
    async (kind) => {
      const credential = credentialOf(kind)
      const presented = { clientId: credential.clientId, clientSecret: SECRET, method: 'body' } as const
      expect(await authenticateClient(presented, rules, readerOf(credential))).toMatchObject({
        isConfidential: true,
      })
    },
  )

  it.each([
    ['an integration without secret', credentialOf('integration'), undefined, rules, WRONG],
    ['a webapp without secret', credentialOf('webapp'), undefined, rules, WRONG],
    ['an integration with a wrong secret', credentialOf('integration'), createOpaqueToken(), rules, WRONG],
    ['a sales channel with a wrong secret', credentialOf('sales_channel'), 'wrong', rules, WRONG],
    [
      'a sales channel without secret where one is required',
      credentialOf('sales_channel'),
      undefined,
      { isSecretRequired: true },
      WRONG,
    ],
    ['a disabled credential', credentialOf('sales_channel', { isDisabled: true }), SECRET, rules, UNKNOWN],
  ])('refuses %s in the one wording', async (_name, credential, clientSecret, when, cause) => {
    const presented = {
      clientId: credential.clientId,
      method: 'body',
      ...(clientSecret === undefined ? {} : { clientSecret }),
    } as const
    const refusal = await refusalOf(() => authenticateClient(presented, when, readerOf(credential)))
    expect(refusal).toMatchObject({
      code: 'invalid_client',
      status: 401,
      detail:
        'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
      cause,
    })
  })

  it('refuses an unknown client in the same wording', async () => {
    const presented = { clientId: createOpaqueToken(), clientSecret: SECRET, method: 'body' } as const
    expect(await refusalOf(() => authenticateClient(presented, rules, readerOf()))).toMatchObject({
      code: 'invalid_client',
      cause: UNKNOWN,
    })
  })

  it('never looks up an id that cannot be one', async () => {
    const reader = readerOf()
    const presented = { clientId: "' OR 1=1 --", method: 'body' } as const
    expect(await refusalOf(() => authenticateClient(presented, rules, reader))).toMatchObject({
      code: 'invalid_client',
    })
    expect(reader.lookedUp).toEqual([])
  })
})
