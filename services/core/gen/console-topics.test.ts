import { readFile } from 'node:fs/promises'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../src/areas.ts'
import { createRegistry } from '../src/engine/registry.ts'
import { allTopics } from '../src/events/webhook-workflow.ts'
import { consoleTopicsPath, renderConsoleTopics } from './console-topics.ts'

describe('the topics that the console suggests', () => {
  it('are what the areas say; after an edit run `npm run gen`', async () => {
    expect(await readFile(consoleTopicsPath, 'utf8')).toBe(renderConsoleTopics())
  })

  it('are those that a webhook may have', () => {
    expect(JSON.parse(renderConsoleTopics())).toEqual(allTopics(createRegistry(areas, { ids: testIds })))
  })
})
