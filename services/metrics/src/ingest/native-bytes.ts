/** Bytes that grow: what the engine's binary format is made of, little-endian. */

const TWO_32 = 2 ** 32
const SHORT_TEXT = 48
const ASCII_MAX = 0x7f
const VARINT_MORE = 0x80

export interface NativeBytes {
  byte(value: number): void
  uint16(value: number): void
  uint32(value: number): void
  /** A safe integer. */
  int64(value: number): void
  /** A length, seven bits a byte. */
  varint(value: number): void
  /** Its length in UTF-8, then the text. */
  text(value: string): void
  /** What was written so far, without copying it. */
  taken(): Uint8Array<ArrayBuffer>
}

export const createNativeBytes = (capacity: number): NativeBytes => {
  let bytes = new Uint8Array(capacity)
  let view = new DataView(bytes.buffer)
  let buffer = Buffer.from(bytes.buffer)
  let at = 0

  const require = (more: number): void => {
    if (at + more <= bytes.length) return
    const grown = new Uint8Array(Math.max(bytes.length * 2, at + more))
    grown.set(bytes.subarray(0, at))
    bytes = grown
    view = new DataView(grown.buffer)
    buffer = Buffer.from(grown.buffer)
  }

  const varint = (value: number): void => {
    require(5)
    let rest = value
    while (rest >= VARINT_MORE) {
      bytes[at++] = (rest & ASCII_MAX) | VARINT_MORE
      rest >>>= 7
    }
    bytes[at++] = rest
  }

  /** Most texts are short and plain, where a loop is faster than a call out of JavaScript. False, and nothing written, for others. */
  const writePlain = (value: string): boolean => {
    const { length } = value
    if (length > SHORT_TEXT) return false
    require(length + 1)
    const start = at
    bytes[at++] = length
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index)
      if (code > ASCII_MAX) {
        at = start
        return false
      }
      bytes[at++] = code
    }
    return true
  }

  return {
    byte: (value) => {
      require(1)
      bytes[at++] = value
    },
    uint16: (value) => {
      require(2)
      view.setUint16(at, value, true)
      at += 2
    },
    uint32: (value) => {
      require(4)
      view.setUint32(at, value, true)
      at += 4
    },
    int64: (value) => {
      require(8)
      const high = Math.floor(value / TWO_32)
      view.setUint32(at, value - high * TWO_32, true)
      view.setInt32(at + 4, high, true)
      at += 8
    },
    varint,
    text: (value) => {
      if (writePlain(value)) return
      const length = Buffer.byteLength(value)
      varint(length)
      require(length)
      at += buffer.write(value, at)
    },
    taken: () => bytes.subarray(0, at),
  }
}
