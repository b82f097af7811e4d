/** Names that definitions give to parts of the store, checked once at start. */
import { DefinitionError } from '@merx/jsonapi/registry'
import type { Registry } from '@merx/jsonapi/registry'
import { virtualSourceNames } from '../sql/virtual-sources.ts'
import { attributeLoaderNames } from './attribute-loaders.ts'

/** Throws DefinitionError naming every loader and row source that does not exist. */
export const checkSources = ({ definitions }: Registry): void => {
  const faults = definitions.flatMap(({ type, attributes, relationships }) => [
    ...Object.entries(attributes).flatMap(([name, { loader }]) =>
      loader === undefined || attributeLoaderNames.includes(loader)
        ? []
        : [`${type}.${name}: no loader is named ${loader}; known: ${attributeLoaderNames.join(', ')}`],
    ),
    ...Object.entries(relationships).flatMap(([name, relationship]) => {
      const source = relationship.kind === 'polymorphicToOne' ? undefined : relationship.virtual
      if (source === undefined || virtualSourceNames.includes(source)) return []
      return [`${type}.${name}: no row source is named ${source}; known: ${virtualSourceNames.join(', ')}`]
    }),
  ])
  if (faults.length > 0) throw new DefinitionError(faults)
}
