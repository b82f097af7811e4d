/** Builds the console's page when its sources or the dependencies changed: a few seconds, the first time only. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.mjs'
import { fingerprint, isStamped, stamp, unstamp } from './stamp.mjs'

const STAMP = 'console-page'

/** Of docs/reference; the page shows them. */
const SHOWN = ['auth-openapi.json', 'metrics-openapi.json']

export const buildConsolePage = async (root, node) => {
  const folder = path.join(root, 'services', 'console', 'page')
  if (!existsSync(folder)) return
  const published = SHOWN.map((name) => path.join(root, 'docs', 'reference', name))
  const wanted = fingerprint([path.join(root, 'pnpm-lock.yaml'), ...published, ...sourcesIn(folder)])
  if (isStamped(root, STAMP, wanted) && existsSync(path.join(folder, 'generated', 'index.html'))) return
  console.log('Merx: building the page of the console')
  unstamp(root, STAMP)
  await runBuild(folder, node)
  stamp(root, STAMP, wanted)
}

const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'generated' && name !== 'node_modules')
    .flatMap((entry) => {
      const place = path.join(folder, entry.name)
      return entry.isDirectory() ? sourcesIn(place) : [place]
    })
    .sort()

const runBuild = (folder, node) =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [path.join(folder, 'build.mjs')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk) => {
      output += String(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Failure('the page of the console could not be built.', `It said:\n${output.trim()}`))
    })
  })
