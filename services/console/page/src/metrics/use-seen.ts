/** Whether an element has been in the window once: what nobody sees is not asked. */
import { useEffect, useRef, useState } from 'react'

export const useSeen = <Element extends HTMLElement>() => {
  const ref = useRef<Element>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null || isSeen) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return [ref, isSeen] as const
}
