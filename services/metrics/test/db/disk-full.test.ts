/** A full disk: the ingest waits and says why, queries go on, and when there is space nothing is missing. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@merx/testing/eventually'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { openTables } from '../support/open-tables.ts'
import { runIngester } from '../support/run-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'

const DISK_MEGABYTES = 96
const MEGABYTE = 1_048_576

/** Only root may make a disk this small; the test is named as skipped for everybody else. */
const whereRoot = process.getuid?.() === 0 ? it : it.skip

whereRoot(
  'waits while the disk is full and goes on when there is space (needs root to make a small disk)',
  async () => {
    const mount = await mkdtemp(join(tmpdir(), 'merx-small-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', mount])
    const engine = openEngine({ path: join(mount, 'analytics') })
    const feed = await openFeedServer()
    const documents = makeDocuments(61, 200)
    try {
      feed.put(...documents)
      const ingester = runIngester({
        engine,
        tables: await openTables(engine),
        feedUrl: feed.url,
        pauseMsMax: 50,
      })
      await ingester.caughtUp()
      const { bavail, bsize } = await statfs(mount)
      const filler = join(mount, 'filler')
      await writeFile(filler, Buffer.alloc(bavail * bsize - MEGABYTE / 8))
      const changed = documents.map((document) => changedOrder(document, 2))
      feed.put(...changed)
      await eventually(() => ingester.status().trouble?.includes('disk') === true)
      expect(ingester.status()).toMatchObject({
        trouble: 'the disk of the analytics engine is full',
        hasCaughtUp: true,
      })
      expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
      await rm(filler)
      await eventually(() => ingester.status().trouble === undefined && ingester.status().lagMs === 0)
      expect(await storedOrders(engine)).toEqual(expectedOrders(changed))
      await ingester.close()
    } finally {
      await feed.stop()
      await engine.close()
      execFileSync('umount', ['-l', mount])
      await rm(mount, { recursive: true, force: true })
    }
  },
  60_000,
)
