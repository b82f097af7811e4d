/** All faults, in the order in which they are run and shown. */
import type { Fault } from '../support/run-fault.ts'
import { clockFaults } from './clock.ts'
import { collectorFaults } from './collector.ts'
import { createCrashes, readCrashesOptions } from './crashes.ts'
import { databaseFaults } from './database.ts'
import { diskFaults } from './disk.ts'
import { gatewayFaults } from './gateway.ts'
import { keyFaults } from './keys.ts'
import { kills } from './kill.ts'
import { networkFaults } from './network.ts'
import { poisonedFeed } from './poison.ts'
import { processFaults } from './process.ts'

export const faults: readonly Fault[] = [
  ...kills,
  createCrashes(readCrashesOptions(process.env)),
  ...processFaults,
  ...databaseFaults,
  ...networkFaults,
  ...diskFaults,
  ...clockFaults,
  ...keyFaults,
  ...gatewayFaults,
  ...collectorFaults,
  poisonedFeed,
]
