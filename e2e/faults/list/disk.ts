/** The disk of the analytics store fills up while orders change. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'

const BLOCK = Buffer.alloc(65_536, 1)

const ballast = (lab: Lab): string => join(lab.engine.folder, 'ballast')

const fill = (lab: Lab): void => {
  const file = openSync(ballast(lab), 'a')
  try {
    for (let length = BLOCK.length; length >= 1;) {
      try {
        writeSync(file, BLOCK, 0, length)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        length = Math.floor(length / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

export const fullDisk: Fault = {
  name: 'full-disk',
  title: 'the disk of the analytics store is full',
  lastsMs: 4_000,
  missing: ({ engine }) =>
    engine.isOwnDisk ? undefined : 'only root may mount a small disk, and not in every container',
  inject: fill,
  repair: (lab) => rmSync(ballast(lab)),
}
