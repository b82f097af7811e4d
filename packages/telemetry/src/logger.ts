import {
  pino,
  type ChildLoggerOptions,
  type DestinationStream,
  type LevelWithSilent,
  type Logger as PinoLogger,
} from 'pino'
import { logOutput } from './log-output.ts'
import { redactFields, redactText, redactValue } from './redact.ts'
import { currentContext } from './request-context.ts'

/** What everything logs to. Fields first, then a sentence: `log.info({ rows }, 'the batch is stored')`. */
export type Logger = PinoLogger

/** From the chattiest to none. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** One of `logLevels`. */
export type LogLevel = LevelWithSilent & (typeof logLevels)[number]

/** `destination` is the standard output unless given. */
export interface LoggerOptions {
  readonly service: string
  readonly level: LogLevel
  readonly destination?: DestinationStream
}

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
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: contextFields,
    serializers: { err: (error: unknown) => redactValue(error) },
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: redactFields,
      log: redactFields,
    },
    hooks: { logMethod: redactArguments },
  }
  return redactChildren(pino(options, destination ?? logOutput(1)))
}
