/** Stamps in node_modules/.merx/ remember what was done for which inputs, so that a second start skips it. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const fileOf = (root, name) => path.join(root, 'node_modules', '.merx', name)

/** SHA-256 over the contents of the files and the extra words; a missing file counts as empty. */
export const fingerprint = (files, words = []) => {
  const hash = createHash('sha256')
  for (const word of words) hash.update(`${word}\0`)
  for (const file of files) hash.update(`${path.basename(file)}\0`).update(readOptional(file))
  return hash.digest('hex')
}

const readOptional = (file) => {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

export const isStamped = (root, name, value) => String(readOptional(fileOf(root, name))) === value

export const stamp = (root, name, value) => {
  mkdirSync(path.dirname(fileOf(root, name)), { recursive: true })
  writeFileSync(fileOf(root, name), value)
}

export const unstamp = (root, name) => rmSync(fileOf(root, name), { force: true })
