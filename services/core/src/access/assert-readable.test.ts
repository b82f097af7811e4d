import type { Caller, RoleKind } from '@merx/access-token/caller'
import { assertReadable } from './assert-readable.ts'

const caller = (read: readonly string[] | undefined, kind: RoleKind = 'custom') =>
  ({
    application: { kind: 'integration' },
    role: {
      id: 'r',
      kind,
      permissions: [
        {
          subject: 'orders',
          actions: ['read'],
          restrictions: read === undefined ? {} : { fields: { read } },
        },
        { subject: 'skus', actions: ['read'] },
      ],
    },
  }) as unknown as Caller

const guest = { application: { kind: 'sales_channel' } } as unknown as Caller

const order = (...names: readonly string[]) => ({
  type: 'orders',
  id: 'x',
  attributes: Object.fromEntries(names.map((name) => [name, 1])),
})

describe('a document for a role with fields', () => {
  it.each([
    ['one resource', { data: order('number') }],
    ['a list', { data: [order('number'), order()] }],
    [
      'an amount with its companions',
      { data: order('total_amount_cents', 'total_amount_float', 'formatted_total_amount') },
    ],
    ['other types', { data: { type: 'skus', id: 'y', attributes: { code: 'A' } } }],
    ['nothing', { data: null }],
    ['linkage', { data: [{ type: 'orders', id: 'x' }] }],
  ])('may hold %s', (_name, document) => {
    expect(() => assertReadable(document, caller(['number', 'total_amount_cents']))).not.toThrow()
  })

  it.each([
    ['an attribute of the resource', { data: order('number', 'status') }, 'orders.status'],
    ['an attribute in a list', { data: [order('number'), order('token')] }, 'orders.token'],
    ['an attribute of what is included', { data: null, included: [order('guest')] }, 'orders.guest'],
    [
      'a relationship',
      { data: { type: 'orders', id: 'x', relationships: { customer: {} } } },
      'orders.customer',
    ],
    [
      'what only sounds like a companion',
      { data: order('total_formatted_amount') },
      'orders.total_formatted_amount',
    ],
    [
      'what only sounds like a companion in units',
      { data: order('total_float_amount') },
      'orders.total_float_amount',
    ],
    [
      'a companion of a hidden amount',
      { data: order('formatted_subtotal_amount') },
      'orders.formatted_subtotal_amount',
    ],
  ])('must not hold %s', (_name, document, stray) => {
    expect(() => assertReadable(document, caller(['number', 'total_amount_cents']))).toThrow(
      `a document shows ${stray} to a caller who may not read it`,
    )
  })

  it.each<[string, Caller]>([
    ['a role without restrictions', caller(undefined)],
    ['an admin', caller(['number'], 'admin')],
    ['a sales channel', guest],
    ['an integration without a role', { application: { kind: 'integration' } } as unknown as Caller],
  ])('says nothing about %s', (_name, who) => {
    expect(() => assertReadable({ data: order('status') }, who)).not.toThrow()
  })
})

it.each([undefined, null, 'text', [order('status')]])('what is no document shows nothing: %j', (document) => {
  expect(() => assertReadable(document, caller(['number']))).not.toThrow()
})

describe('a document for a sales channel', () => {
  const who = (...names: readonly string[]) => ({ data: { ...order(...names), type: 'customers' } })

  it('shows a guest of a customer what the table of guests lists', () => {
    expect(() => assertReadable(who('email', 'has_password'), guest)).not.toThrow()
    expect(() => assertReadable(who('email', 'status'), guest)).toThrow('a document shows customers.status')
  })

  it('shows a customer all', () => {
    const customer = { ...guest, owner: { type: 'Customer', id: 'x' } } as unknown as Caller
    expect(() => assertReadable(who('email', 'status'), customer)).not.toThrow()
  })
})
