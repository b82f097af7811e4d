/**
 * docs/how-to/upgrade.md under load: the next release is this one with migrations of every kind that the page allows, in a
 * tree of its own. Its migrations are applied while this release serves, then each service is replaced while both run, and
 * then the other way around, as when an upgrade is taken back.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { findDestructiveStatements } from '@merx/postgres/destructive-statements'
import { Client } from 'pg'
import { compareTotals } from '../faults/support/compare-totals.ts'
import { compareWithLedger } from '../faults/support/compare.ts'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { createLedger } from '../faults/support/ledger.ts'
import { startLoad, type Load } from '../faults/support/load.ts'
import { requireTotals } from '../faults/support/metrics-answers.ts'
import { migrateWith } from '../faults/support/migrate-with.ts'
import { SERVICES } from '../faults/support/service-process.ts'
import { integrationOf } from '../faults/support/user.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const LAB_MS_MAX = 240_000
const UPGRADE_MS_MAX = 300_000
const SEED = 20_261_121

/** Behind every migration there is. */
const LATER = '99991231'

/** What the page allows in one release, by the folder of the service's migrations. */
const EXPANDING: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'core/migrations': [
    [
      'a_column_and_a_table',
      `ALTER TABLE orders ADD COLUMN next_release text NOT NULL DEFAULT 'next';
       ALTER TABLE line_items ADD COLUMN next_release text;
       CREATE TABLE next_release (id bigint PRIMARY KEY, environment_id bigint NOT NULL, order_id bigint NOT NULL,
         FOREIGN KEY (environment_id, order_id) REFERENCES orders (environment_id, id));`,
    ],
    ['an_index', 'CREATE INDEX CONCURRENTLY orders_next_release_idx ON orders (next_release);'],
    [
      'a_demand',
      `ALTER TABLE line_items ADD CONSTRAINT line_items_next_release_check CHECK (next_release <> '') NOT VALID;
       ALTER TABLE line_items VALIDATE CONSTRAINT line_items_next_release_check;`,
    ],
  ],
  'auth/prisma/migrations': [
    ['a_column', `ALTER TABLE credentials ADD COLUMN next_release text NOT NULL DEFAULT 'next';`],
  ],
}

const namesIn = (folder: string): readonly string[] =>
  (EXPANDING[folder] ?? []).map(([name], index) => `${LATER}00000${index}_${name}`)

/** This release with those migrations; what is installed is shared. */
const makeNextRelease = (folder: string): string => {
  const root = join(folder, 'next-release')
  for (const part of ['packages', 'services'])
    cpSync(join(ROOT, part), join(root, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => basename(source) !== 'test',
    })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const [place, migrations] of Object.entries(EXPANDING))
    for (const [index, [, sql]] of migrations.entries()) {
      const target = join(root, 'services', place, namesIn(place)[index] ?? '')
      mkdirSync(target)
      writeFileSync(join(target, 'migration.sql'), sql)
    }
  return root
}

const appliedIn = async (lab: Lab, database: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: lab.postgres.databaseUrl(database) })
  await client.connect()
  try {
    const { rows } = await client.query<{ migration_name: string }>(
      `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND migration_name >= $1 ORDER BY 1`,
      [LATER],
    )
    return rows.map(({ migration_name: name }) => name)
  } finally {
    await client.end()
  }
}

let lab: Lab | undefined
let folder = ''

const requireLab = (): Lab => {
  if (lab === undefined) throw new Error('the lab did not open')
  return lab
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'merx-upgrade-'))
  lab = await openLab()
}, LAB_MS_MAX)

afterAll(async () => {
  await lab?.close()
  rmSync(folder, { recursive: true, force: true })
}, LAB_MS_MAX)

/** Nothing failed, nothing was wrong, and there was something to fail. */
const expectUndisturbed = ({ record, ledger }: Load): void => {
  const failed = record.observations.filter(({ outcome }) => outcome === 'none' || outcome >= 400)
  expect({ failed, wrong: [...record.wrong] }).toEqual({ failed: [], wrong: [] })
  expect(ledger.acknowledged).toBeGreaterThan(0)
  expect(record.compared).toBeGreaterThan(0)
}

test.each(Object.entries(EXPANDING))('what the next release adds in %s only adds', (_place, migrations) => {
  for (const [, sql] of migrations) expect(findDestructiveStatements(sql)).toEqual([])
})

/** Migrates, rolls every service to the next release and back. */
const upgradeAndTakeBack = async (here: Lab, next: string, load: Load): Promise<void> => {
  const old = SERVICES.map((name) => here.services[name])
  await migrateWith(here, next)
  expect(await appliedIn(here, 'merx_core')).toEqual(namesIn('core/migrations'))
  expect(await appliedIn(here, 'merx_auth')).toEqual(namesIn('auth/prisma/migrations'))
  for (const name of SERVICES) await here.roll(name, next)
  expect(old.map((service) => service.pid())).toEqual([undefined, undefined, undefined])
  expectUndisturbed(load)
  for (const name of SERVICES.toReversed()) await here.roll(name) // this release, on what the next one made of the databases
}

test(
  'an upgrade and its withdrawal fail no request and lose no write',
  async () => {
    const here = requireLab()
    const next = makeNextRelease(folder)
    const totals = await requireTotals(here)
    const load = await startLoad({
      lab: here,
      ledger: createLedger(),
      seed: SEED,
      allowed: new Set(),
      totals,
    })
    await upgradeAndTakeBack(here, next, load).finally(async () => load.stop()) // or this process never ends
    expectUndisturbed(load)
    expect((await compareWithLedger(integrationOf(here, 0), load.ledger)).lost).toEqual([])
    expect(await compareTotals(here)).toEqual([])
    expect(await requireTotals(here)).toEqual(totals)
  },
  UPGRADE_MS_MAX,
)
