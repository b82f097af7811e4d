/** The session of this page. Its access token is in memory only: it goes with the page, and no storage ever holds it. */

import { readAnswer } from './answers.ts'

export interface Environment {
  readonly organization: string
  readonly mode: 'test' | 'live'
}

export interface Session extends Environment {
  readonly domain: string
  readonly access_token: string
  readonly expires_at: string
}

export interface SessionAnswer {
  readonly session: Session | null
  /** What can be signed in to here. */
  readonly environments: readonly Environment[]
}

/** The back end refreshes a token that has less than five minutes left. */
const LEFT_MS_MIN = 120_000

let current: Session | null = null

/** @throws Refused */
export const loadSession = async (): Promise<SessionAnswer> => {
  const response = await fetch('/console/session', { headers: { Accept: 'application/json' } })
  const answer = await readAnswer<SessionAnswer>(response)
  current = answer.session
  return answer
}

/** Whoever is told that the session is over shows the sign-in page, which leads back to where it was. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver'
}

/** @throws SessionOver */
export const accessToken = async ({ isRefused = false } = {}): Promise<string> => {
  const isGood = current !== null && Date.parse(current.expires_at) - Date.now() > LEFT_MS_MIN
  if (current !== null && isGood && !isRefused) return current.access_token
  const { session } = await loadSession()
  if (session === null) throw new SessionOver('the session is over')
  return session.access_token
}

export const signInAddress = ({ organization, mode }: Environment, returnTo: string): string => {
  const query = new URLSearchParams({ organization, mode, return_to: returnTo })
  return `/console/sign-in?${query.toString()}`
}

export const signOut = async (): Promise<void> => {
  const response = await fetch('/console/sign-out', { method: 'POST' })
  await readAnswer(response)
  current = null
}
