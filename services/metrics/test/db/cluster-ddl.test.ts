/** What a cluster is sent, before the engine's own parser: there is no cluster here to send it to. */
import {
  ADDED_COLUMNS,
  shadowName,
  renderAddColumn,
  renderCreateControl,
  renderCreateFed,
  renderDropFed,
  renderSwap,
  renderFirst,
} from '../../src/store/render-ddl.ts'
import { controlTables, FED_TABLES } from '../../src/store/table-definitions.ts'
import { openStore, type TestStore } from '../support/open-store.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }
const layout = { kind: 'cluster', cluster: 'merx' } as const
const mark = { generation: 4, shape: 2 }

let store: TestStore
beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store.close())

/** The text as the engine's parser understood it; throws where it does not. */
const parsed = async (statement: string): Promise<string> => {
  const text = 'SELECT formatQuerySingleLine({statement:String}) AS text'
  const [row] = await store.engine.run({ text, params: { statement } }, budget)
  return String(row?.text)
}

const fed = FED_TABLES.flatMap((table) => [
  ...renderCreateFed({ table, name: table, mark }, layout),
  ...renderCreateFed({ table, name: shadowName(table, 4), mark }, layout),
  ...ADDED_COLUMNS[table].flatMap((column) => renderAddColumn({ table, name: table, mark }, column, layout)),
  renderSwap(table, 4, layout),
  renderFirst(table, 4, layout),
  ...renderDropFed({ table, name: shadowName(table, 4), mark }, layout),
])
const control = Object.entries(controlTables).map(([name, definition]) =>
  renderCreateControl(name, definition, layout),
)

it.each([...fed, ...control].map((statement) => [statement.slice(0, 70), statement]))(
  'the parser takes %s…',
  async (_start, statement) => {
    expect(await parsed(statement)).toContain('ON CLUSTER merx')
  },
)

it('the parser refuses invalid DDL, so that this test can fail', async () => {
  await expect(parsed('CREATE TABLE x ON CLUSTER ENGINE = Distributed')).rejects.toThrow()
})

it('the columns of a local table are those of a single server', async () => {
  const columnsOf = (text: string) => /\(`generation`.*\) ENGINE/.exec(text)?.[0]
  for (const table of FED_TABLES) {
    const [single] = renderCreateFed({ table, name: table, mark }, { kind: 'single' })
    const [local] = renderCreateFed({ table, name: table, mark }, layout)
    expect(columnsOf(await parsed(local ?? ''))).toBe(columnsOf(await parsed(single ?? '')))
  }
})
