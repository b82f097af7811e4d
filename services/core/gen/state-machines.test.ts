import { readFile } from 'node:fs/promises'
import { stateMachines } from '../src/areas.ts'
import { PROOFS, renderStateMachines, stateMachinesPath } from './state-machines.ts'

describe('the reference of state machines', () => {
  it('is what the areas define; after an edit run `npm run gen`', async () => {
    expect(await readFile(stateMachinesPath, 'utf8')).toBe(renderStateMachines())
  })

  it('names the tests of each machine, which exist', async () => {
    const machines = Object.entries(stateMachines).flatMap(([type, list]) =>
      list.map(({ column }) => `${type}.${column}`),
    )
    expect(Object.keys(PROOFS).toSorted()).toEqual(machines.toSorted())
    for (const tests of Object.values(PROOFS)) {
      const texts = await Promise.all(
        tests.map((path) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')),
      )
      expect(texts[0]).toMatch(/transition(?:Table)?\(/)
    }
  })

  it('has a diagram and a row for each transition', () => {
    const page = renderStateMachines()
    expect(page).toContain('```mermaid\nstateDiagram-v2\n  [*] --> draft\n  draft --> pending: pending\n')
    expect(page).toContain(
      '| `pending` | `draft` | `pending` | automatic | `hasCustomerAndGoods` |  |  | `orders.pending` |',
    )
  })
})
