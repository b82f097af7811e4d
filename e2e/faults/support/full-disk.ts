/** Fills the disk that a folder is on, and makes room again. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const BLOCK = Buffer.alloc(65_536, 1)

const ballastIn = (folder: string): string => join(folder, 'ballast')

/** Until not a byte more fits. */
export const fill = (folder: string): void => {
  const file = openSync(ballastIn(folder), 'a')
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

export const makeRoom = (folder: string): void => rmSync(ballastIn(folder))
