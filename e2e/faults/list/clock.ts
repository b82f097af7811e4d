/** The wall clock jumps in running services, as a machine that comes back from sleep or an NTP step does it (libfaketime). */
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from '../support/lab.ts'
import type { Outcome } from '../support/observations.ts'
import { restartServices } from '../support/restart.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES, type ServiceName } from '../support/service-process.ts'

const LIBRARIES = ['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/lib*/faketime/libfaketimeMT.so.1']

const findLibrary = (): string | undefined =>
  LIBRARIES.flatMap((pattern) => globSync(pattern)).find(existsSync)

const clockFile = (lab: Lab): string => join(lab.folder, 'clock')

/** Timers go by the monotonic clock, which does not jump in reality either. */
const environmentOf = (lab: Lab): Record<string, string> => ({
  LD_PRELOAD: findLibrary() ?? '',
  FAKETIME_TIMESTAMP_FILE: clockFile(lab),
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
})

const restartWith = (lab: Lab, names: readonly ServiceName[], env: Record<string, string>): Promise<void> =>
  restartServices(lab, names, (service) => service.setEnvironment(env))

const jump = (
  name: string,
  title: string,
  names: readonly ServiceName[],
  by: string,
  allowed: readonly Outcome[],
): Fault => ({
  name,
  title,
  allowed,
  lastsMs: 3_000,
  missing: () =>
    findLibrary() === undefined ? 'there is no libfaketime: apt-get install libfaketime' : undefined,
  prepare: async (lab) => {
    writeFileSync(clockFile(lab), '+0\n')
    await restartWith(lab, names, environmentOf(lab))
    return () => restartWith(lab, names, {})
  },
  inject: (lab) => writeFileSync(clockFile(lab), `${by}\n`),
  repair: (lab) => writeFileSync(clockFile(lab), '+0\n'),
})

/** What a token that looks expired is answered with. */
const EXPIRED = [401] as const

/** One service first: tokens that were issued while the clock of auth was ahead are good for longer afterwards. */
export const clockFaults: readonly Fault[] = [
  jump('clock-forward-core', 'the clock of core alone three hours ahead, and back', ['core'], '+3h', EXPIRED),
  jump('clock-back-auth', 'the clock of auth alone one hour back, and on again', ['auth'], '-1h', []),
  jump('clock-back', 'the clock of all services one hour back, and on again', SERVICES, '-1h', []),
  jump('clock-forward', 'the clock of all services three hours ahead, and back', SERVICES, '+3h', EXPIRED),
]
