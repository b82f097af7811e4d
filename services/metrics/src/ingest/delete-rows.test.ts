import { makeDocuments, ORGANIZATIONS } from '../../test/support/documents.ts'
import { LIVE_NAMES } from '../store/tables.ts'
import { deleteGoneOrders, deleteGoneReturns } from './delete-rows.ts'
import { toPreparedEntry, type PreparedEntry } from './prepare-page.ts'

const document = makeDocuments(13, 60).find(({ returns }) => returns.length === 2)
if (document === undefined) throw new Error('no order has two returns')

const upsert = (
  version: number,
  organization: { id: string; slug: string; name: string } = ORGANIZATIONS[0],
): PreparedEntry =>
  toPreparedEntry({ kind: 'upsert', document: { ...document, version, organization, mode: 'test' } })
const deletion = toPreparedEntry({
  kind: 'delete',
  organization_id: ORGANIZATIONS[1].id,
  mode: 'live',
  id: 'goneOrderX',
  version: 9,
})

describe('the deletions of a page', () => {
  it('mark every return of its orders that their documents do not have', () => {
    const [statement, ...rest] = deleteGoneReturns(LIVE_NAMES, [upsert(4)])
    expect(rest).toEqual([])
    expect(statement?.params).toEqual({
      environment: `${ORGANIZATIONS[0].id}/test`,
      orders: [document.id],
      versions: [4],
      present: document.returns.map(({ id }) => id),
    })
  })

  it('have one statement for each environment', () => {
    const statements = deleteGoneReturns(LIVE_NAMES, [upsert(4), upsert(4, ORGANIZATIONS[1]), deletion])
    expect(statements.map(({ params }) => [params['environment'], params['present']])).toEqual([
      [`${ORGANIZATIONS[0].id}/test`, document.returns.map(({ id }) => id)],
      [`${ORGANIZATIONS[1].id}/test`, document.returns.map(({ id }) => id)],
      [`${ORGANIZATIONS[1].id}/live`, []],
    ])
  })

  it('have several statements for many orders', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => ({ ...upsert(4), id: `order${index}` }))
    const statements = deleteGoneReturns(LIVE_NAMES, many)
    const named = (param: string): readonly unknown[] =>
      statements.flatMap(({ params }) => params[param] as readonly unknown[])
    expect(named('orders')).toEqual(many.map(({ id }) => id))
    expect(named('present')).toHaveLength(8_000)
    expect(named('versions')).toHaveLength(4_000)
    expect(statements).toHaveLength(3)
  })

  it('have no statement for an order in its first version, so that filling an empty store needs none', () => {
    expect(deleteGoneReturns(LIVE_NAMES, [upsert(1)])).toEqual([])
    expect(deleteGoneOrders(LIVE_NAMES, [upsert(1), upsert(4)])).toEqual([])
  })

  it('mark an order with the version of its deletion', () => {
    const [statement] = deleteGoneOrders(LIVE_NAMES, [upsert(4), deletion])
    expect(statement?.params).toEqual({
      environment: `${ORGANIZATIONS[1].id}/live`,
      orders: ['goneOrderX'],
      versions: [9],
    })
  })

  it('keep every value out of the text', () => {
    for (const { text } of [
      ...deleteGoneReturns(LIVE_NAMES, [upsert(4), deletion]),
      ...deleteGoneOrders(LIVE_NAMES, [deletion]),
    ]) {
      expect(text).not.toMatch(/goneOrderX|orgAAAAAAA|orgBBBBBBB/)
    }
  })
})
