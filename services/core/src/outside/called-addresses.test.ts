import type { RuleContext } from '@merx/jsonapi/rules'
import { createAddressCheck } from './address-check.ts'
import { calledAddresses, refusalOfAddress } from './called-addresses.ts'

/** Apart from the addresses, so that none looks like one with a real password. */
const PASSWORD = 'hush'

const publicOnly = createAddressCheck([])

describe('an address that Merx calls', () => {
  it.each([
    'https://pay.example.com/authorize',
    'http://pay.example.com:8080/a?b=c',
    'https://bücher.example/',
    'https://8.8.8.8/',
  ])('may be %s', (address) => {
    expect(refusalOfAddress(address, publicOnly)).toBeUndefined()
  })

  it.each([
    [`https://me:${PASSWORD}@pay.example.com/`, 'user name or password'],
    ['https://me@pay.example.com/', 'user name or password'],
    ['ftp://pay.example.com/', 'must begin with http:// or https://'],
    ['https://pay.example.com:99999/', 'is not a URL'],
    ['pay.example.com', 'is not a URL'],
    ['http://127.0.0.1:8080/', 'may not be called'],
    ['http://2130706433/', 'may not be called'],
    ['http://[::1]/', 'may not be called'],
    ['http://169.254.169.254/latest/meta-data', 'may not be called'],
    ['http://10.0.0.7/', 'may not be called'],
    ['http://localhost:3000/', 'this machine'],
    ['http://pay.LOCALHOST./', 'this machine'],
  ])('may not be %s', (address, message) => {
    expect(refusalOfAddress(address, publicOnly)).toContain(message)
  })
})

describe('the rule', () => {
  const write = (
    after: Readonly<Record<string, unknown>>,
    sent: readonly string[],
    more: Partial<RuleContext> = {},
  ) =>
    calledAddresses(
      'authorize_url',
      'void_url',
    )({
      writer: { isSalesChannel: false },
      operation: 'update',
      before: undefined,
      after,
      sent: new Set(sent),
      now: new Date(0),
      find: {
        byNumber: async () => undefined,
        byColumn: async () => undefined,
        byColumns: async () => undefined,
        count: async () => 0,
      },
      includeProblem: () => undefined,
      ...more,
    })

  it('names the attribute, and does not repeat a value that may hold a password', () => {
    const after = { authorize_url: 'https://a:b@c.example/', void_url: null }
    expect(write(after, ['authorize_url', 'void_url'])).toEqual({
      violations: [
        {
          at: { attribute: 'authorize_url' },
          error: 'invalid',
          message: 'cannot be called: the address must not hold a user name or password',
        },
      ],
    })
  })

  it('leaves what was stored before as it is', () => {
    expect(write({ authorize_url: 'https://a:b@c.example/' }, [])).toEqual({})
  })

  it('accepts internal addresses of the networks that the operator lists, and this machine by name', () => {
    for (const authorize_url of ['http://127.0.0.1:9000/', 'http://localhost:9000/'])
      expect(write({ authorize_url }, ['authorize_url'], { allowedNetworks: ['127.0.0.0/8'] })).toEqual({
        violations: [],
      })
  })
})
