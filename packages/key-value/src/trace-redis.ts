/** A span for each Redis command, without its keys and values. Only while traces are on. */
import { failSpan, startClientSpan } from '@merx/telemetry/span'
import { isTracing } from '@merx/telemetry/tracing'
import type { Cluster, Redis } from 'ioredis'

type SendCommand = Redis['sendCommand']

/** Every command of a connection, or of a whole cluster, passes through its `sendCommand`. */
export const traceRedis = (redis: Redis | Cluster): void => {
  if (!isTracing()) return
  const send = redis.sendCommand.bind(redis) as SendCommand
  const traced: SendCommand = (command, stream) => {
    const operation = command.name.toUpperCase()
    const span = startClientSpan(operation, { 'db.system.name': 'redis', 'db.operation.name': operation })
    const answer = send(command, stream)
    if (span !== undefined) {
      void command.promise.then(
        () => span.end(),
        (error: unknown) => {
          failSpan(span, error)
          span.end()
        },
      )
    }
    return answer
  }
  Object.assign(redis, { sendCommand: traced })
}
