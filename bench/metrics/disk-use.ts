import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Megabytes of the files of a folder and those below. Files that vanish meanwhile count nothing. */
export const diskUse = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) =>
          (await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0,
      ),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e6)
}
