import {
  salesChannelActions,
  salesChannelFields,
  salesChannelGrants,
  salesChannelRows,
} from './sales-channel-grants.ts'
import {
  customerPermissions,
  guestPermissions,
  prohibitedFields,
  TAGGABLE,
} from './sales-channel-permissions.ts'

const IN_THE_MAKING = { status_in: ['draft', 'pending'] }

describe('what sales channels may do', () => {
  it.each([
    ['skus', ['read'], ['read']],
    ['orders', ['create', 'read', 'update'], ['create', 'read', 'update']],
    ['customers', ['create'], ['create', 'read', 'update', 'destroy']],
    ['customer_addresses', [], ['create', 'read', 'update', 'destroy']],
    ['wire_transfers', ['create', 'read', 'update', 'destroy'], ['create', 'read', 'update', 'destroy']],
    ['markets', [], []],
    ['webhooks', [], []],
    ['toString', [], []],
  ])('with %s: guests %j, customers %j', (type, guests, customers) => {
    expect([salesChannelActions(type, false), salesChannelActions(type, true)]).toEqual([guests, customers])
  })

  it('is for customers at least what it is for guests', () => {
    for (const type of Object.keys({ ...guestPermissions, ...customerPermissions }))
      expect(salesChannelActions(type, true)).toEqual(
        expect.arrayContaining([...salesChannelActions(type, false)]),
      )
  })

  it('comes with the customer’s table first', () => {
    expect(salesChannelGrants('orders', true)).toEqual([
      customerPermissions['orders'],
      guestPermissions['orders'],
    ])
    expect(salesChannelGrants('orders', false)).toEqual([guestPermissions['orders']])
  })
})

describe('the rows they may touch', () => {
  it('of orders are those in the making', () => {
    expect(salesChannelRows('orders', false)).toEqual({ update: IN_THE_MAKING })
    expect(salesChannelRows('orders', true)).toEqual({ update: IN_THE_MAKING })
  })

  it('of shipments are read in any status by the customer, by the guest only until the order is approved', () => {
    const update = { order_status_in: ['draft', 'pending'] }
    expect(salesChannelRows('shipments', false)).toEqual({
      read: { order_status_in: ['draft', 'pending', 'placing', 'placed'] },
      update,
    })
    expect(salesChannelRows('shipments', true)).toEqual({ update })
  })

  it('of gift cards are drafts, whatever is done', () => {
    const draft = { status_eq: 'draft' }
    expect(salesChannelRows('gift_cards', false)).toEqual({
      create: draft,
      read: draft,
      update: draft,
      destroy: draft,
    })
  })

  it('of SKUs and unknown types have no conditions here', () => {
    expect([salesChannelRows('skus', false), salesChannelRows('webhooks', true)]).toEqual([{}, {}])
  })
})

describe('the fields they are shown', () => {
  it('of customers are few for a guest, and all for the customer', () => {
    expect(salesChannelFields('customers', false)?.read).toContain('email')
    expect(salesChannelFields('customers', true)).toBeUndefined()
  })

  it('of orders and of what is closed are not restricted', () => {
    expect([salesChannelFields('orders', false), salesChannelFields('webhooks', false)]).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe('what they may never send', () => {
  it('includes the tags of whatever can be tagged', () => {
    for (const type of TAGGABLE)
      expect(prohibitedFields[type]).toEqual(expect.arrayContaining(['_add_tags', '_remove_tags', 'tags']))
    expect(prohibitedFields['markets']).toBeUndefined()
  })

  it('includes what moves an order beyond being placed', () => {
    expect(prohibitedFields['orders']).toEqual(
      expect.arrayContaining(['_approve', '_capture', 'number', 'tags']),
    )
  })
})
