/** Core's event stream (docs/how-to/follow-events.md): tells when something happens, so that a screen need not ask all the time. */
import { useEffect, useState } from 'react'
import { readAnswer, Refused } from './answers.ts'
import { createMessageCounter } from './event-lines.ts'
import { accessToken, SessionOver } from './session.ts'

const RETRY_MS = 5_000

interface Listener {
  readonly onOpen: () => void
  readonly onEvent: () => void
}

/** Until the stream ends, which it does with the token at the latest. @throws Refused */
const follow = async (topic: string, signal: AbortSignal, { onOpen, onEvent }: Listener): Promise<void> => {
  const response = await fetch(`/api/events/stream?topics=${encodeURIComponent(topic)}`, {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${await accessToken()}` },
    signal,
  })
  if (!response.ok) await readAnswer(response)
  if (response.body === null) return
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const count = createMessageCounter()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (count(value) > 0) onEvent()
  }
}

/** What would be refused again. */
const isFinal = (error: unknown): boolean =>
  error instanceof SessionOver || (error instanceof Refused && error.status < 429)

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Connects again and again. Whoever shows the screen asks by the clock meanwhile, so what fails here fails nothing. */
const keepFollowing = async (
  topic: string,
  signal: AbortSignal,
  listener: Listener & { onEnd: () => void },
) => {
  while (!signal.aborted) {
    const error = await follow(topic, signal, listener).catch((reason: unknown) => reason)
    listener.onEnd()
    if (isFinal(error)) return
    await wait(RETRY_MS)
  }
}

/** A page that nobody sees needs no connection: browsers allow six to a server without HTTP/2. */
const useVisible = (): boolean => {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const change = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return isVisible
}

/**
 * Calls back when something of the topic happens. Answers whether it would be told now; while it is not, ask by the clock.
 * @param onEvent the same function at every rendering
 */
export const useEvents = (topic: string, isAllowed: boolean, onEvent: () => void): boolean => {
  const isVisible = useVisible()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isAllowed || !isVisible) return undefined
    const abort = new AbortController()
    void keepFollowing(topic, abort.signal, {
      onOpen: () => setOpen(true),
      onEnd: () => {
        if (!abort.signal.aborted) setOpen(false)
      },
      onEvent,
    })
    return () => {
      abort.abort()
      setOpen(false)
    }
  }, [topic, isAllowed, isVisible, onEvent])
  return isOpen
}
