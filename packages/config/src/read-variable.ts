/** The text of a variable: from `NAME`, or from the file `NAME_FILE` names, as container platforms hand out secrets. */
import { readFileSync } from 'node:fs'

const FILE_BYTES_MAX = 65_536

/** `text` is undefined when the variable is absent or empty. The violation never quotes what stands in a file. */
export type RawVariable = { readonly text: string | undefined } | { readonly violation: string }

/** What `env` holds for `name`, without white space around it. */
export const readVariable = (
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): RawVariable => {
  const text = trimmed(env[name])
  const path = trimmed(env[`${name}_FILE`])
  if (path === undefined) return { text }
  if (text !== undefined) return { violation: `${name}_FILE and ${name} are both set; allowed: one` }
  return readText(`${name}_FILE names ${path}`, path)
}

const trimmed = (raw: string | undefined): string | undefined => {
  const text = raw?.trim()
  return text === '' ? undefined : text
}

const readText = (subject: string, path: string): RawVariable => {
  try {
    const content = readFileSync(path, 'utf8')
    const text = trimmed(content)
    if (text === undefined) return { violation: `${subject}, which is empty` }
    if (content.length <= FILE_BYTES_MAX) return { text }
    return { violation: `${subject}, which is too long; allowed: ${FILE_BYTES_MAX} bytes` }
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : error
    return { violation: `${subject}, which cannot be read (${String(code)}); allowed: a readable file` }
  }
}
