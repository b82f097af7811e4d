/** Parts that every schema of the interface is made of (JSON Schema 2020-12, as OpenAPI 3.1 takes it). */
export type Schema = Readonly<Record<string, unknown>>

/** Exactly these members, of which `required` must be there. */
export const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => ({
  type: 'object',
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
  properties,
})

export const enumOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values })

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** `line_items` → `LineItems`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[_.]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
