/** A choice of paths of the catalogue, grouped by what they belong to. */
import { SelectField } from '../parts/field.tsx'
import { groupPaths, shortNameOf } from './catalogue.ts'

export interface PathSelectProps {
  readonly label: string
  readonly paths: readonly string[]
  readonly record: string
  readonly value: string
  /** The choice of none. */
  readonly none?: string
  readonly onChange: (path: string) => void
}

export const PathSelect = ({ label, paths, record, value, none, onChange }: PathSelectProps) => (
  <SelectField
    label={label}
    className="control w-full px-2"
    value={value}
    onChange={({ target }) => onChange(target.value)}
  >
    {none === undefined ? null : <option value="">{none}</option>}
    {groupPaths(paths, record).map((group) => (
      <optgroup key={group.label} label={group.label}>
        {group.paths.map((path) => (
          <option key={path} value={path}>
            {shortNameOf(path, record)}
          </option>
        ))}
      </optgroup>
    ))}
  </SelectField>
)
