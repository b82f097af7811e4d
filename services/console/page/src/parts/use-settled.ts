/** What is typed, or scrolled to, once it has not changed for a moment: so nothing is asked for every key. */
import { useEffect, useState } from 'react'

const TYPING_MS = 250

export const useSettled = (text: string, pauseMs = TYPING_MS): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
