import type { Rule } from '@merx/jsonapi/rules'

const FROM: Readonly<Record<string, readonly string[]>> = {
  _interrupt: ['pending', 'in_progress'],
  _start: ['interrupted'],
}

/** A job that is over cannot be interrupted, and only an interrupted one goes on. */
export const interruptible: Rule = ({ before, sent }) => {
  if (before === undefined) return {}
  const status = String(before['status'])
  const violations = Object.entries(FROM)
    .filter(([name, statuses]) => sent.has(name) && !statuses.includes(status))
    .map(([attribute, statuses]) => ({
      at: { attribute },
      error: 'invalid_status',
      message: `needs the status ${statuses.join(' or ')}, it is ${status}`,
    }))
  return { violations }
}
