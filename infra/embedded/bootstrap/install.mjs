/**
 * Installs the dependencies with the pinned pnpm when the lockfile changed since the last installation.
 * Returns the path of the Node that runs the project (24, from the npm package `node`).
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, writeFailure } from './failure.mjs'
import { withFolderLock } from './folder-lock.mjs'
import { fingerprint, isStamped, stamp, unstamp } from './stamp.mjs'

const STAMP = 'installed'
const PROJECT_NODE_MAJOR = 24
const OUTPUT_KEPT_CHARS = 16_384

const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/

export const install = async (root) => {
  const wanted = fingerprint(
    [
      path.join(root, 'pnpm-lock.yaml'),
      path.join(root, 'pnpm-workspace.yaml'),
      path.join(root, 'package.json'),
    ],
    [process.platform, process.arch],
  )
  if (isStamped(root, STAMP, wanted) && existsSync(packagedNode(root))) return packagedNode(root)
  assertWritable(root)
  return withFolderLock(root, async () => {
    if (!isStamped(root, STAMP, wanted)) {
      unstamp(root, STAMP)
      await runPnpm(root)
    }
    const node = requireNode(root)
    stamp(root, STAMP, wanted)
    return node
  })
}

/** The binary itself, not node_modules/.bin/node: that is a shell script, which would swallow signals. */
const packagedNode = (root) =>
  path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const requireNode = (root) => {
  const node = packagedNode(root)
  const answer = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (answer.status === 0 && answer.stdout.startsWith(`v${PROJECT_NODE_MAJOR}.`)) return node
  throw new Failure(
    `the Node ${PROJECT_NODE_MAJOR} that the npm package "node" brings does not run on this system ` +
      `(${process.platform} ${process.arch}: ${answer.error?.message ?? (answer.stderr.trim() || `exit ${answer.status}`)}).`,
    'Linux with glibc and macOS are supported, on x64 and arm64. On Alpine use a Debian based image.',
  )
}

const assertWritable = (root) => {
  const probe = path.join(root, 'node_modules', '.merx-probe')
  try {
    mkdirSync(path.dirname(probe), { recursive: true })
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw writeFailure(error, root)
  }
}

const pnpmVersion = (root) => JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).packageManager

const runPnpm = async (root) => {
  console.log('Merx: installing dependencies (only the first time and after updates; usually under a minute)')
  const startedAt = Date.now()
  const { code, output } = await runNpx(root, [
    '--yes',
    pnpmVersion(root),
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.confirmModulesPurge=false',
  ])
  if (code === 0) {
    console.log(`Merx: dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s`)
    return
  }
  if (OFFLINE.test(output)) {
    throw new Failure(
      'the npm registry could not be reached, so the dependencies cannot be installed.',
      'Check the network, or the proxy and registry settings of npm (npm config get registry), and try again.',
    )
  }
  if (/ENOSPC/.test(output)) throw writeFailure({ code: 'ENOSPC' }, root)
  if (/ERR_PNPM_OUTDATED_LOCKFILE/.test(output)) {
    throw new Failure('a package.json was changed without its lockfile.', 'Run: npx pnpm install')
  }
  throw new Failure(`the installation ended with exit code ${code}.`, 'The lines above say why.')
}

/** The npx that belongs to the running npm, or the one on PATH. Output is shown as it comes, and its end kept. */
const runNpx = (root, args) =>
  new Promise((resolve, reject) => {
    const own = process.env.npm_execpath && path.join(path.dirname(process.env.npm_execpath), 'npx-cli.js')
    const isWindows = process.platform === 'win32'
    const [file, prefix] =
      own && existsSync(own) ? [process.execPath, [own]] : [isWindows ? 'npx.cmd' : 'npx', []]
    // With NODE_ENV=production pnpm leaves out devDependencies, which hold the project's Node and test tools.
    const { NODE_ENV: _ignored, ...env } = process.env
    const child = spawn(file, [...prefix, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: isWindows && file === 'npx.cmd',
    })
    let output = ''
    const keep = (stream) => (chunk) => {
      stream.write(chunk)
      output = (output + String(chunk)).slice(-OUTPUT_KEPT_CHARS)
    }
    child.stdout.on('data', keep(process.stdout))
    child.stderr.on('data', keep(process.stderr))
    child.on('error', (error) =>
      reject(
        error.code === 'ENOENT'
          ? new Failure('npx was not found on PATH.', 'Install Node together with npm: https://nodejs.org')
          : error,
      ),
    )
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
