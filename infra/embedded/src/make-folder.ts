/**
 * Makes a folder and those above it. Node's `recursive` repeats for ever where mkdir fails with ENOENT in a folder that
 * exists, as in /proc or on a mount that is gone.
 */
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

const isFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true

/** Throws the error of mkdir. `mode` is that of folders it makes. */
export const makeFolder = (folder: string, mode?: number): void => {
  if (isFolder(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent, mode)
  mkdirSync(folder, mode)
}
