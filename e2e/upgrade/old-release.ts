/** The sources of an earlier release, from this repository, installed in a folder of their own. */
import { execFile, type ExecFileException } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024
const run = promisify(execFile)

/** What a program wrote before it failed says more than its exit code. */
const outputOf = (error: unknown): string => {
  const { stderr = '', stdout = '', message } = error as ExecFileException
  return [stdout, stderr].join('\n').trim() || message
}

const exportSources = async (commit: string, folder: string): Promise<void> => {
  const options = { cwd: ROOT, encoding: 'buffer', maxBuffer: ARCHIVE_BYTES_MAX } as const
  const { stdout } = await run('git', ['archive', '--format=tar', commit], options).catch(
    (error: unknown) => {
      throw new Error(
        `git cannot give the sources of ${commit}; in a shallow clone: git fetch --unshallow\n${outputOf(error)}`,
      )
    },
  )
  const archive = join(folder, '..', 'sources.tar')
  writeFileSync(archive, stdout)
  await run('tar', ['-xf', archive, '-C', folder])
}

/** @returns the folder of the sources, ready to start. It takes half a minute, and the registry of npm. */
export const installRelease = async (commit: string, parent: string): Promise<string> => {
  const folder = join(parent, 'release')
  mkdirSync(folder)
  await exportSources(commit, folder)
  await run(process.execPath, [join(folder, 'infra/embedded/bootstrap.mjs'), 'install'], {
    cwd: folder,
  }).catch((error: unknown) => {
    throw new Error(`the release ${commit} could not be installed:\n${outputOf(error)}`)
  })
  return folder
}
