/** Known vulnerabilities from the registry; a registry without the service is no failure (docs/adr/0043-supply-chain.md). */
import { spawnSync } from 'node:child_process'

export type Audit =
  | { readonly outcome: 'clean' }
  | { readonly outcome: 'unknown'; readonly reason: string }
  | { readonly outcome: 'vulnerable'; readonly advisories: readonly string[] }

interface Advisory {
  readonly module_name: string
  readonly vulnerable_versions: string
  readonly severity: string
  readonly title: string
  readonly url: string
}

interface AuditAnswer {
  readonly advisories?: Readonly<Record<string, Advisory>>
  readonly error?: { readonly code: string; readonly message?: string }
}

/** What the registry says when it has no such service, or cannot be reached. */
const UNABLE =
  /ERR_PNPM_AUDIT_BAD_RESPONSE|ERR_PNPM_AUDIT_ENDPOINT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|META_FETCH_FAIL/

/** `pnpm audit --prod --json` → outcome. Pure. */
export const readAudit = (output: string): Audit => {
  if (UNABLE.test(output))
    return { outcome: 'unknown', reason: 'the registry offers no audit, or is out of reach' }
  const start = output.indexOf('{')
  if (start < 0) throw new Error(`pnpm audit said what is no JSON: ${output.slice(0, 300)}`)
  const { advisories, error } = JSON.parse(output.slice(start)) as AuditAnswer
  if (error !== undefined) throw new Error(`pnpm audit failed: ${error.code} ${error.message ?? ''}`)
  if (advisories === undefined) throw new Error(`pnpm audit gave no advisories: ${output.slice(0, 300)}`)
  const serious = Object.values(advisories).filter(({ severity }) => /high|critical/.test(severity))
  return serious.length === 0
    ? { outcome: 'clean' }
    : {
        outcome: 'vulnerable',
        advisories: serious.map(
          (each) => `${each.module_name} ${each.vulnerable_versions}: ${each.title} (${each.url})`,
        ),
      }
}

/** Asks for production dependencies only. */
export const auditDependencies = (root: string, pnpm: string): Audit => {
  const { stdout, stderr } = spawnSync('npx', ['--yes', pnpm, 'audit', '--prod', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return readAudit(`${stdout}${stdout.includes('{') ? '' : stderr}`)
}
