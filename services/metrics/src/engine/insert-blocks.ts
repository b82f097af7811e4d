/**
 * Blocks of the Native format into the embedded engine. Its client takes text only, so they go through a file beside the store;
 * one at a time, as writes do, and a file that a crash left is written over.
 */
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fromInsertError } from './engine-errors.ts'
import type { LineTarget } from './engine.ts'
import { quoteColumns, WRITE_SETTINGS } from './insert-lines.ts'

const FILE = 'incoming.native'
/** One thread, so that all blocks become one part. */
const SETTINGS = [...WRITE_SETTINGS, 'max_threads = 1', 'max_insert_threads = 1']

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The engine takes these in the path of a file for patterns. */
const PATTERN = /[*?{}|]/

/** Whether a file in this folder can be named to the engine; lines go everywhere. */
export const canReadFrom = (folder: string): boolean => !PATTERN.test(folder)

const writeFile = async (file: string, blocks: readonly Uint8Array[]): Promise<void> => {
  const handle = await open(file, 'w', 0o600)
  try {
    for (const block of blocks) await handle.writeFile(block)
  } finally {
    await handle.close()
  }
}

/** `alone` runs one work at a time. Throws `RowsRefused` when a block does not fit, AppError for every other failure. */
export const insertBlocks = async (
  alone: (work: (send: (query: string) => Promise<unknown>) => Promise<unknown>) => Promise<void>,
  folder: string,
  { table, columns, generation }: LineTarget,
  blocks: readonly Uint8Array[],
): Promise<void> => {
  const file = join(folder, FILE)
  const names = quoteColumns(columns)
  const [into, from] =
    generation === undefined ? [names, names] : [`generation, ${names}`, `${generation}, ${names}`]
  const query = `INSERT INTO ${table} (${into}) SELECT ${from} FROM file(${quote(file)}, 'Native') SETTINGS ${SETTINGS.join(', ')}`
  try {
    await alone(async (send) => {
      try {
        await writeFile(file, blocks)
        await send(query)
      } finally {
        await rm(file, { force: true })
      }
    })
  } catch (error) {
    throw fromInsertError(error)
  }
}
