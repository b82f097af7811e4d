/** Generates the Prisma client of each service that has a schema, when the schema or the dependencies changed. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.mjs'
import { fingerprint, isStamped, stamp, unstamp } from './stamp.mjs'

export const generateClients = async (root, node) => {
  const services = readdirSync(path.join(root, 'services')).filter((name) => existsSync(schemaOf(root, name)))
  const stale = services.filter((name) => !isFresh(root, name))
  if (stale.length === 0) return
  console.log(`Merx: generating the database clients of ${stale.join(' and ')}`)
  await Promise.all(stale.map((name) => generate(root, node, name)))
}

const schemaOf = (root, name) => path.join(root, 'services', name, 'prisma', 'schema.prisma')

const stampName = (name) => `generated-${name}`

const inputsOf = (root, name) =>
  fingerprint([
    schemaOf(root, name),
    path.join(root, 'services', name, 'prisma.config.ts'),
    path.join(root, 'services', name, 'package.json'),
  ])

const isFresh = (root, name) =>
  isStamped(root, stampName(name), inputsOf(root, name)) && existsSync(outputOf(root, name))

/** The generator's `output`, which Prisma reads relative to the folder of the schema. */
const outputOf = (root, name) => {
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(schemaOf(root, name), 'utf8'))?.[1]
  if (output === undefined) throw new Failure(`${schemaOf(root, name)} has no generator output.`, 'Add one.')
  return path.resolve(path.dirname(schemaOf(root, name)), output)
}

const generate = (root, node, name) =>
  new Promise((resolve, reject) => {
    const folder = path.join(root, 'services', name)
    unstamp(root, stampName(name))
    const child = spawn(
      node,
      [path.join(folder, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'],
      {
        cwd: folder,
        env: {
          ...process.env,
          // `generate` does not run the schema engine but downloads it unless told where one is.
          PRISMA_SCHEMA_ENGINE_BINARY: node,
          PRISMA_HIDE_UPDATE_MESSAGE: '1',
          CHECKPOINT_DISABLE: '1',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    const keep = (chunk) => {
      output += String(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) {
        reject(new Failure(`prisma generate failed for services/${name}.`, `It said:\n${output.trim()}`))
        return
      }
      stamp(root, stampName(name), inputsOf(root, name))
      resolve()
    })
  })
