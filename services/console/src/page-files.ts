/** The built page, read once: its few files are in memory, so no path of a request ever reaches the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { constants, gzipSync } from 'node:zlib'

export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
}

export interface PageFiles {
  readonly index: PageFile
  /** By file name; the names hold a hash of the contents. */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** Where page/build.mjs puts it. */
export const PAGE_FOLDER = path.resolve(import.meta.dirname, '..', 'page', 'generated')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const readPageFile = (file: string): PageFile => {
  const type = TYPES[path.extname(file)]
  if (type === undefined) throw new Error(`the page has a file of a type that is not served: ${file}`)
  const bytes = readFileSync(file)
  return { type, bytes, gzipped: gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }) }
}

/** @throws Error when the page is not built */
export const readPageFiles = (folder = PAGE_FOLDER): PageFiles => {
  const assets = path.join(folder, 'assets')
  try {
    return {
      index: readPageFile(path.join(folder, 'index.html')),
      assets: new Map(readdirSync(assets).map((name) => [name, readPageFile(path.join(assets, name))])),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('the page of the console is not built: node services/console/page/build.mjs', {
      cause: error,
    })
  }
}
