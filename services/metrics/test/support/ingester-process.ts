/**
 * One ingester in a process of its own, on a ClickHouse server: `node ingester-process.ts <ClickHouse URL> <feed URL>`. Tells its
 * status as a line of JSON, ten times a second.
 */
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { openTables } from './open-tables.ts'
import { runIngester } from './run-ingester.ts'

const [clickhouseUrl = '', feedUrl = ''] = process.argv.slice(2)
const engine = openEngine({ url: clickhouseUrl })
const ingester = runIngester({ engine, tables: await openTables(engine), feedUrl })
setInterval(() => process.stdout.write(`${JSON.stringify(ingester.status())}\n`), 100)
process.once('SIGTERM', () => {
  void ingester
    .close()
    .then(() => engine.close())
    .then(() => process.exit(0))
})
