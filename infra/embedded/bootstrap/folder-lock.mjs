/** One installation at a time in a folder: `npm start` and `npm test` may be begun together on a fresh clone. */
import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const POLL_MS = 500

export const withFolderLock = async (root, act) => {
  const file = path.join(
    os.tmpdir(),
    `merx-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  )
  let isAnnounced = false
  while (!take(file)) {
    if (!isAnnounced) console.log('Merx: another command is installing in this folder; waiting for it')
    isAnnounced = true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await act()
  } finally {
    release()
    process.off('exit', release)
  }
}

/** A hard link appears whole or not at all, so that nobody reads a lock that has no process id yet. */
const take = (file) => {
  const own = `${file}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isAlive(readPid(file))) rmSync(file, { force: true })
    return false
  } finally {
    rmSync(own)
  }
}

const readPid = (file) => {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return 0
    throw error
  }
}

const isAlive = (pid) => {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
