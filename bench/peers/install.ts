/**
 * Installs a peer from npm with exact versions into a folder of its own, for whoever runs the benchmark. Scripts of
 * packages do not run: what would download something has what it needs in its package, or goes without.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { PEERS_FOLDER } from './surroundings.ts'

export interface Installation {
  /** Of the folder. */
  readonly name: string
  readonly packages: Readonly<Record<string, string>>
  /** Files of this folder that run there: from, to. */
  readonly files: Readonly<Record<string, string>>
}

/** @returns its folder; nothing is fetched when these versions are there already. */
export const installPeer = async ({ name, packages, files }: Installation): Promise<string> => {
  const folder = path.join(PEERS_FOLDER, name)
  mkdirSync(folder, { recursive: true })
  const done = path.join(folder, `installed-${Object.values(packages).join('-')}`)
  if (!existsSync(done)) {
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name, private: true, dependencies: packages }, undefined, 2),
    )
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      maxBuffer: 64_000_000,
    })
    writeFileSync(done, '')
  }
  for (const [from, to] of Object.entries(files))
    copyFileSync(path.join(import.meta.dirname, from), path.join(folder, to))
  return folder
}
