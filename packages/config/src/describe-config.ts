/** The schema as text for people: a table for README files and the contents of .env.example. */
import type { Field } from './field.ts'
import type { ConfigSchema } from './load-config.ts'

const defaultOf = (field: Field<unknown>): string => {
  if (field.defaultText !== undefined) return `\`${field.defaultText}\``
  if (field.developmentText !== undefined) return 'a development key; required in production'
  return field.isOptional ? 'none' : '**required**'
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A Markdown table: variable, what it is for, what is allowed, default. */
export const describeConfig = (schema: ConfigSchema): string => {
  const rows = Object.entries(schema).map(
    ([name, field]) =>
      `| \`${name}\` | ${cell(field.help)} | ${cell(field.allowed)} | ${cell(defaultOf(field))} |`,
  )
  return ['| Variable | For | Allowed | Default |', '|---|---|---|---|', ...rows, ''].join('\n')
}

/** The contents of .env.example: every variable with a comment; those with a default are commented out. */
export const renderEnvExample = (schema: ConfigSchema): string =>
  Object.entries(schema)
    .map(([name, field]) => {
      const isRequired =
        !field.isOptional && field.defaultText === undefined && field.developmentText === undefined
      const comment = [field.help, field.allowed].filter((part) => part !== '').join('; ')
      return `# ${comment}\n${isRequired ? '' : '#'}${name}=${field.defaultText ?? ''}\n`
    })
    .join('\n')
