/** Server-sent events (WHATWG, 9.2.6) as the page needs them: that a message came, whatever it says. */

/** Takes the text of a stream piece by piece; each call answers how many messages the piece completes. */
export const createMessageCounter = (): ((piece: string) => number) => {
  let rest = ''
  return (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    return lines.filter((line) => line.startsWith('data:')).length
  }
}
