import {
  pino,
  type ChildLoggerOptions,
  type DestinationStream,
  type LevelWithSilent,
  type Logger as PinoLogger,
} from 'pino'
import { lineBuffer } from './line-buffer.ts'
import { redactFields, redactText, redactValue } from './redact.ts'
import { currentContext } from './request-context.ts'
import { standardOutput } from './standard-output.ts'

/** What everything logs to. Fields first, then a sentence: `log.info({ rows }, 'the batch is stored')`. */
export type Logger = PinoLogger

/** From the chattiest to none. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** One of `logLevels`. */
export type LogLevel = LevelWithSilent & (typeof logLevels)[number]

/** Where a logger of ours writes to. */
const OUTPUT = Symbol('output')

/** `destination` is the standard output unless given. */
export interface LoggerOptions {
  readonly service: string
  readonly level: LogLevel
  readonly destination?: DestinationStream
}

/** Many lines are of the same millisecond. */
const createIsoTime = (): (() => string) => {
  let [lastMs, text] = [NaN, '']
  return () => {
    const ms = Date.now()
    if (ms !== lastMs) [lastMs, text] = [ms, new Date(ms).toISOString()]
    return text
  }
}

const isoTime = createIsoTime()

const contextFields = (): Record<string, string> => {
  const context = currentContext()
  if (context === undefined) return {}
  const { requestId, traceId } = context
  return traceId === undefined ? { request_id: requestId } : { request_id: requestId, trace_id: traceId }
}

type ChildArguments = [bindings: Record<string, unknown>, options?: ChildLoggerOptions]
type LogArguments = Parameters<PinoLogger['info']>

/** pino takes the message of an error as the line's own when no other is given, so that text is cleaned here too. */
const withOwnMessage = (args: readonly unknown[]): readonly unknown[] => {
  const [first, message] = args
  if (message !== undefined) return args
  if (first instanceof Error) return [{ err: first }, first.message]
  const isWrapped =
    typeof first === 'object' && first !== null && 'err' in first && first.err instanceof Error
  return isWrapped ? [first, (first.err as Error).message] : args
}

function redactArguments(
  this: PinoLogger,
  args: LogArguments,
  method: (...args: LogArguments) => void,
): void {
  const [fields, ...values] = withOwnMessage(args)
  const clean = [
    typeof fields === 'string' ? redactText(fields) : fields,
    ...values.map((value) => redactValue(value)),
  ]
  method.apply(this, clean as LogArguments)
}

/** Fields of child loggers are serialized once, past the formatters; children inherit this replacement. */
const redactChildren = (log: PinoLogger): PinoLogger => {
  const child = Reflect.get(log, 'child') as unknown as (
    this: PinoLogger,
    ...args: ChildArguments
  ) => PinoLogger
  Object.defineProperty(log, 'child', {
    value(this: PinoLogger, ...[bindings, options]: ChildArguments): PinoLogger {
      return child.call(this, redactFields(bindings), options)
    },
  })
  return log
}

/**
 * One JSON object a line: `time` (ISO 8601 UTC), `level`, `service`, `request_id` inside a request, `trace_id`
 * when its trace is recorded, `msg` and the given fields, with secrets redacted at every depth.
 *
 *     const log = createLogger({ service: 'auth', level: 'info' })
 */
export const createLogger = ({ service, level, destination }: LoggerOptions): Logger => {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${isoTime()}"`,
    mixin: contextFields,
    serializers: { err: (error: unknown) => redactValue(error) },
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: redactFields,
      log: redactFields,
    },
    hooks: { logMethod: redactArguments },
  }
  const output = destination ?? lineBuffer(standardOutput())
  const log = redactChildren(pino(options, output))
  Object.defineProperty(log, OUTPUT, { value: output }) // children inherit it
  return log
}

/**
 * Writes lines of one kind, such as that of a request, of which there are too many to look through each: the fields are
 * JSON put together by the caller (`"status":200,"ms":1.5`), who keeps secrets out (redactText) and names the request.
 *
 *     const write = prepareLine(log, 'info', 'request'); write('"status":200')
 */
export const prepareLine = (log: Logger, level: LogLevel, message: string): ((fields: string) => void) => {
  const output = (log as { [OUTPUT]?: DestinationStream })[OUTPUT]
  if (output === undefined) throw new Error('prepareLine needs a logger made by createLogger')
  const bindings = JSON.stringify(log.bindings()).slice(1, -1)
  const end = `,"msg":${JSON.stringify(message)}}\n`
  return (fields) => {
    if (log.isLevelEnabled(level))
      output.write(`{"level":"${level}","time":"${isoTime()}",${bindings},${fields}${end}`)
  }
}
