import { readFile } from 'node:fs/promises'
import { renderStateMachines, stateMachinesPath } from './state-machines.ts'

describe('the reference of state machines', () => {
  it('is what the areas define; after an edit run `npm run gen`', async () => {
    expect(await readFile(stateMachinesPath, 'utf8')).toBe(renderStateMachines())
  })

  it('has a diagram and a row for each transition', () => {
    const page = renderStateMachines()
    expect(page).toContain('```mermaid\nstateDiagram-v2\n  [*] --> draft\n  draft --> pending: pending\n')
    expect(page).toContain(
      '| `pending` | `draft` | `pending` | automatic | `hasCustomerAndGoods` |  |  | `orders.pending` |',
    )
  })
})
