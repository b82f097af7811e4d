/** What is stored of an answer for people who look for a mistake: short, and without secrets. */
import { STATUS_CODES } from 'node:http'
import { redactText } from '@merx/telemetry/redact'
import type { OutsideResult } from './result.ts'

export interface KeptAnswer {
  /** The status as text, null when there was no answer. */
  readonly response_code: string | null
  /** The name of the status, or why there was no answer. */
  readonly response_message: string
}

export const keptAnswer = (result: OutsideResult): KeptAnswer =>
  result.kind === 'answered'
    ? {
        response_code: String(result.status),
        response_message: STATUS_CODES[result.status] ?? 'Unknown status',
      }
    : { response_code: null, response_message: result.message }

const BODY_CHARACTERS_MAX = 10_000

/** The body of an answer, cut off, tokens and passwords left out. PostgreSQL stores no NUL. */
export const keptBody = (body: string): string =>
  redactText(body.slice(0, BODY_CHARACTERS_MAX)).replaceAll('\u0000', '')
