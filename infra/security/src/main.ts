/**
 * `npm run security`: licences of all dependencies, the bill of materials (`.merx/sbom.cdx.json`, CycloneDX), secrets in
 * tracked files, and the registry's advisories. `-- --offline` leaves the last one out. Ends with 1 when something is wrong.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { auditDependencies } from './audit.ts'
import { renderBillOfMaterials, validateBillOfMaterials } from './bill-of-materials.ts'
import { refuseLicences, withLicences } from './licences.ts'
import { listPackages, readLockFile } from './lock-file.ts'
import { findSecrets } from './secrets.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const BILL = path.join(ROOT, '.merx', 'sbom.cdx.json')

interface Manifest {
  readonly version: string
  readonly packageManager: string
}

const report = (name: string, errors: readonly string[], good: string): boolean => {
  for (const error of errors) console.error(`security: ${error}`)
  console.log(`security: ${name}: ${errors.length === 0 ? good : `${errors.length} wrong`}`)
  return errors.length === 0
}

const audit = (pnpm: string): boolean => {
  const result = auditDependencies(ROOT, pnpm)
  if (result.outcome === 'vulnerable') return report('advisories', result.advisories, '')
  return report('advisories', [], result.outcome === 'clean' ? 'none' : `unknown, ${result.reason}`)
}

const main = async (args: readonly string[]): Promise<number> => {
  const { version, packageManager } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Manifest
  const store = readdirSync(path.join(ROOT, 'node_modules', '.pnpm'))
  const packages = withLicences(ROOT, listPackages(readLockFile(ROOT)), store)
  const bill = renderBillOfMaterials(version, packages)
  await validateBillOfMaterials(bill)
  mkdirSync(path.dirname(BILL), { recursive: true })
  writeFileSync(BILL, bill)
  const production = packages.filter(({ isProduction }) => isProduction).length
  const results = [
    report('licences', refuseLicences(packages), `${packages.length} packages, ${production} in production`),
    report('bill of materials', [], path.relative(ROOT, BILL)),
    report('secrets', await findSecrets(ROOT), 'none in tracked files'),
    args.includes('--offline') || audit(packageManager),
  ]
  return results.every(Boolean) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
