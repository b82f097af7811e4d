/** Where figures come from: they mean nothing without. */
import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly platform: string
  readonly node: string
  /** ISO 8601 */
  readonly measuredAt: string
}

const BYTES_PER_GB = 1_073_741_824

export const describeMachine = (now: Date): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / BYTES_PER_GB),
  platform: `${process.platform} ${process.arch}`,
  node: process.versions.node,
  measuredAt: now.toISOString(),
})

export const machineLine = ({ cpu, cores, memoryGb, platform, node, measuredAt }: Machine): string =>
  `${measuredAt.slice(0, 16).replace('T', ' ')} UTC, ${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}`
