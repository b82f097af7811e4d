/** A second process of each service behind the gateway: connections go to the two in turn. */
import { findFreePort } from '@merx/local-postgres/free-port'
import { startDelayProxy } from '@merx/testing/delay-proxy'
import { NOWHERE, untilReady, type Lab } from '../support/lab.ts'
import { createServiceProcess, SERVICES, type ServiceName } from '../support/service-process.ts'

const openSecond = async (lab: Lab, name: ServiceName, closing: AsyncDisposableStack): Promise<string> => {
  const [port, internalPort] = [await findFreePort(), await findFreePort()]
  const { folder, environment } = lab
  const second = createServiceProcess({ name, port, internalPort, folder, env: environment[name] })
  closing.defer(() => second.kill())
  await second.start()
  await untilReady(name, `http://127.0.0.1:${internalPort}`)
  const ports = [Number(new URL(lab.services[name].url).port), port]
  let turn = 0
  const balanced = await startDelayProxy(() => {
    turn += 1
    return ports[turn % ports.length] ?? port
  })
  closing.defer(() => balanced.close())
  return `127.0.0.1:${balanced.port}`
}

/** @returns what ends them */
export const openReplicas = async (lab: Lab): Promise<AsyncDisposableStack> => {
  await using opening = new AsyncDisposableStack()
  await lab.gateway.reload({
    GATEWAY_AUTH: await openSecond(lab, 'auth', opening),
    GATEWAY_CORE: await openSecond(lab, 'core', opening),
    GATEWAY_METRICS: await openSecond(lab, 'metrics', opening),
    GATEWAY_CONSOLE: NOWHERE,
  })
  if (SERVICES.length !== 3) throw new Error('a service has no second process')
  return opening.move()
}
