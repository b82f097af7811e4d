/** Disks that fill up while orders change, are lost, or take no more lines of log. */
import { rmSync } from 'node:fs'
import { fill, makeRoom } from '../support/full-disk.ts'
import type { Lab } from '../support/lab.ts'
import { restartServices } from '../support/restart.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES } from '../support/service-process.ts'

const ONLY_ROOT = 'only root may mount a small disk, and not in every container'

const fullEngineDisk: Fault = {
  name: 'full-disk',
  title: 'the disk of the analytics store is full',
  lastsMs: 4_000,
  missing: ({ engine }) => (engine.isOwnDisk ? undefined : ONLY_ROOT),
  inject: ({ engine }) => fill(engine.folder),
  repair: ({ engine }) => makeRoom(engine.folder),
}

/** PostgreSQL stops when it cannot write its journal, and whoever makes room starts it again. */
const fullDatabaseDisk: Fault = {
  name: 'full-database-disk',
  title: 'the disk of PostgreSQL is full',
  lastsMs: 4_000,
  missing: ({ postgres }) => (postgres.isOwnDisk ? undefined : ONLY_ROOT),
  inject: ({ postgres }) => fill(postgres.folder),
  repair: async ({ postgres }) => {
    makeRoom(postgres.folder)
    await postgres.start()
  },
}

/** Everything of it can be read again from core, and until then no total may be given. */
const lostEngineDisk: Fault = {
  name: 'lost-engine-disk',
  title: 'the disk of the analytics store is lost, and an empty one takes its place',
  inject: async ({ engine }) => {
    await engine.kill()
    rmSync(engine.dataFolder, { recursive: true })
  },
  repair: ({ engine }) => engine.start(),
}

/** What a service writes to a disk without room is lost; it must not matter to those whom it serves. */
const fullLogDisk: Fault = {
  name: 'full-log-disk',
  title: 'the disk of the logs is full (every write of a line fails)',
  isUnseen: true,
  lastsMs: 3_000,
  prepare: (lab) => logTo(lab, '/dev/full'),
  inject: () => undefined,
  repair: () => undefined,
}

const logTo = async (lab: Lab, file: string): Promise<() => Promise<void>> => {
  await restartServices(lab, SERVICES, (service) => service.setOutput(file))
  return () => restartServices(lab, SERVICES, (service) => service.setOutput(undefined))
}

export const diskFaults: readonly Fault[] = [fullEngineDisk, lostEngineDisk, fullDatabaseDisk, fullLogDisk]
