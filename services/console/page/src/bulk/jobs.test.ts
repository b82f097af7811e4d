import { gzipSync } from 'node:zlib'
import { problemsOfLog, progressOf, unzip } from './jobs.ts'

describe('the file of an export', () => {
  it('is unpacked from all members that its steps wrote', async () => {
    const steps = ['code,name\n', 'A,"è"\n'.repeat(10_000), 'B,x\n']
    const file = Buffer.concat(steps.map((step) => gzipSync(step)))
    expect(await unzip(new Uint8Array(file)).text()).toBe(steps.join(''))
  })

  it('is refused when it is none', () => {
    expect(() => unzip(new TextEncoder().encode('{"errors":[]} and no gzip'))).toThrow()
  })
})

describe('the log of an import', () => {
  it('has a line for each message', () => {
    const log = {
      SHIRT: { name: ["can't be blank", 'is bad'], base: ['is refused'] },
      'item 3': ['odd'],
      import: 'failed',
    }
    expect(problemsOfLog(log)).toEqual([
      { item: 'SHIRT', field: 'name', message: "can't be blank" },
      { item: 'SHIRT', field: 'name', message: 'is bad' },
      { item: 'SHIRT', field: 'base', message: 'is refused' },
      { item: 'item 3', field: '', message: 'odd' },
      { item: 'import', field: '', message: 'failed' },
    ])
    expect(problemsOfLog()).toEqual([])
  })
})

it('counts what was refused as done', () => {
  const attributes = {
    ...{ resource_type: 'prices', format: 'csv', status: 'in_progress', created_at: '2026-01-01T00:00:00Z' },
    ...{ started_at: null, completed_at: null, processed_count: 7, errors_count: 2, inputs_size: 20 },
  }
  expect(progressOf({ id: 'x', type: 'imports', attributes })).toEqual({ done: 9, all: 20 })
})
