/**
 * prometheus-targets.json: where a Prometheus on this machine finds the services of this system, in the form of its
 * file_sd_configs. Their ports are free ones of each start, so that two systems never meet.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'prometheus-targets.json')

/** Replaced in one step: Prometheus watches the file. */
export const writePrometheusTargets = (
  dataFolder: string,
  internalUrls: Readonly<Record<string, string>>,
): void => {
  const targets = Object.entries(internalUrls).map(([job, url]) => ({
    targets: [new URL(url).host],
    labels: { job },
  }))
  const next = `${fileIn(dataFolder)}.new`
  writeFileSync(next, `${JSON.stringify(targets, null, 2)}\n`)
  renameSync(next, fileIn(dataFolder))
}

export const removePrometheusTargets = (dataFolder: string): void =>
  rmSync(fileIn(dataFolder), { force: true })
