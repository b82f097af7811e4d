import { readFileSync } from 'node:fs'
import { decisionsPage, renderDecisions } from './decisions.ts'

describe('the list of decisions', () => {
  it('has every page of docs/adr; after a new one run `node infra/embedded/gen/decisions.ts`', () => {
    expect(readFileSync(decisionsPage, 'utf8')).toBe(renderDecisions())
  })
})
