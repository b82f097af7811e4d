/** Services started again in another way, before a fault that has to be there from their start. */
import type { Lab } from './lab.ts'
import type { ServiceName, ServiceProcess } from './service-process.ts'

/** `change` sets what holds from the next start on. Resolves when all are ready. */
export const restartServices = async (
  lab: Lab,
  names: readonly ServiceName[],
  change: (service: ServiceProcess) => void,
): Promise<void> => {
  for (const name of names) {
    change(lab.services[name])
    await lab.services[name].stop()
    await lab.services[name].start()
  }
  await lab.ready()
}
