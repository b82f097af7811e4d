/** All areas together: every definition, and what the engine has to know of each type. Checked once at load. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { createRegistry as createDefinitions, DefinitionError } from '@merx/jsonapi/registry'
import type { Registry as Definitions } from '@merx/jsonapi/registry'
import type { Area, AreaFacts, ByName } from './area.ts'
import type { SecretBox } from './secret-box.ts'

export interface Registry extends Definitions {
  /** What the areas say of their types. */
  readonly facts: AreaFacts
  /** Networks in CIDR form that may be called although they are not public: OUTSIDE_ALLOWED_NETWORKS. */
  readonly allowedNetworks: readonly string[]
  /** Encrypts the values of sealed attributes. */
  readonly seal: SecretBox['seal']
}

/** Of a registry without a key, as in scripts that only read definitions. */
const noKey = (): never => {
  throw new TypeError('this registry has no key to seal values with')
}

/**
 * Throws DefinitionError naming every fault: what two areas say of the same type, what is said of unknown types, names
 * that definitions use and no area explains, and everything that the definitions themselves get wrong.
 *
 * @example const registry = createRegistry(areas, { ids: createPublicIds({ secret }) })
 */
export const createRegistry = (
  areas: readonly Area[],
  {
    allowedNetworks = [],
    seal = noKey,
    ...options
  }: {
    readonly ids: PublicIds
    readonly allowedNetworks?: readonly string[]
    readonly seal?: SecretBox['seal']
  },
): Registry => {
  const definitions = createDefinitions(areas.flatMap(({ resources }) => resources).toSorted(byType), options)
  const violations: string[] = []
  const facts: AreaFacts = {
    visibility: merge(areas, 'visibility', violations),
    workflows: merge(areas, 'workflows', violations),
    topics: merge(areas, 'topics', violations),
    commands: merge(areas, 'commands', violations),
    reactions: reactionsOf(areas),
    parents: merge(areas, 'parents', violations),
    beforeCreate: merge(areas, 'beforeCreate', violations),
    recentSignIn: merge(areas, 'recentSignIn', violations),
    bodyBytesMax: merge(areas, 'bodyBytesMax', violations),
    indexed: merge(areas, 'indexed', violations),
    lowerIndexes: merge(areas, 'lowerIndexes', violations),
    cachedLists: new Set(areas.flatMap(({ cachedLists }) => cachedLists ?? [])),
    virtualRelationships: merge(areas, 'virtualRelationships', violations),
    computedRelationships: merge(areas, 'computedRelationships', violations),
    pagedRelationships: merge(areas, 'pagedRelationships', violations),
    attributeLoaders: merge(areas, 'attributeLoaders', violations),
    presentations: merge(areas, 'presentations', violations),
    cacheable: new Set(areas.flatMap(({ cacheable }) => cacheable ?? [])),
    writeExtensions: areas.flatMap(({ writeExtensions }) => writeExtensions ?? []),
    history: areas.find(({ history }) => history !== undefined)?.history,
  }
  violations.push(
    ...unknownTypes(facts, definitions),
    ...unexplainedNames(facts, definitions),
    ...unpairedCommands(facts, definitions),
    ...unlistedReactions(facts),
  )
  if (violations.length > 0) throw new DefinitionError(violations)
  return Object.freeze({ ...definitions, facts: Object.freeze(facts), allowedNetworks, seal })
}

/** The order of the reference. */
const byType = (a: ResourceDefinition, b: ResourceDefinition): number => (a.type < b.type ? -1 : 1)

type MergedFact =
  | 'visibility'
  | 'workflows'
  | 'topics'
  | 'commands'
  | 'parents'
  | 'beforeCreate'
  | 'recentSignIn'
  | 'bodyBytesMax'
  | 'indexed'
  | 'lowerIndexes'
  | 'virtualRelationships'
  | 'computedRelationships'
  | 'pagedRelationships'
  | 'attributeLoaders'
  | 'presentations'

const merge = <Fact extends MergedFact>(
  areas: readonly Area[],
  fact: Fact,
  violations: string[],
): NonNullable<Area[Fact]> => {
  const merged: Record<string, unknown> = {}
  for (const area of areas) {
    for (const [name, value] of Object.entries(area[fact] ?? {})) {
      if (Object.hasOwn(merged, name)) violations.push(`${name}: two areas define ${fact}`)
      merged[name] = value
    }
  }
  return merged as NonNullable<Area[Fact]>
}

/** Several areas may react to one topic; theirs run in the order of the areas. */
const reactionsOf = (areas: readonly Area[]): AreaFacts['reactions'] => {
  const all = areas.flatMap(({ reactions = {} }) => Object.entries(reactions))
  const byTopic = Map.groupBy(all, ([topic]) => topic)
  return Object.fromEntries(
    [...byTopic].map(([topic, entries]) => [topic, entries.map(([, reaction]) => reaction)]),
  )
}

const unknownTypes = (facts: AreaFacts, definitions: Definitions): readonly string[] => {
  const named: Readonly<Record<string, ByName<unknown>>> = {
    visibility: facts.visibility,
    presentations: facts.presentations,
    workflows: facts.workflows,
    topics: facts.topics,
    commands: facts.commands,
    parents: facts.parents,
    beforeCreate: facts.beforeCreate,
    recentSignIn: facts.recentSignIn,
    bodyBytesMax: facts.bodyBytesMax,
    indexed: facts.indexed,
    lowerIndexes: facts.lowerIndexes,
  }
  return Object.entries(named).flatMap(([fact, byType]) =>
    Object.keys(byType)
      .filter((type) => definitions.find(type) === undefined)
      .map((type) => `${type}: no resource has this type, but an area defines its ${fact}`),
  )
}

/** Each trigger that starts a command has one, and each command a trigger. */
const unpairedCommands = ({ commands }: AreaFacts, { definitions }: Definitions): readonly string[] =>
  definitions.flatMap(({ type, attributes }) => {
    const triggers = Object.keys(attributes).filter((name) => attributes[name]?.isCommand === true)
    const handled = (commands[type] ?? []).map(({ trigger }) => trigger as string)
    return [
      ...triggers
        .filter((name) => !handled.includes(name))
        .map((name) => `${type}.${name}: no command of its area has this trigger`),
      ...handled
        .filter((name, at) => !triggers.includes(name) || handled.indexOf(name) !== at)
        .map((name) => `${type}.${name}: a command needs a trigger with isCommand, and is listed once`),
    ]
  })

/** What is reacted to is a topic of some type. */
const unlistedReactions = ({ reactions, topics }: AreaFacts): readonly string[] => {
  const listed = new Set(
    Object.entries(topics).flatMap(([type, events]) => events.map((event) => `${type}.${event}`)),
  )
  return Object.keys(reactions)
    .filter((topic) => !listed.has(topic))
    .map((topic) => `${topic}: an area reacts to it, and none lists it`)
}

/** Definitions name loaders and virtual relationships; an area must have each of them. */
const unexplainedNames = (
  { attributeLoaders, computedRelationships, virtualRelationships }: AreaFacts,
  { definitions }: Definitions,
): readonly string[] =>
  definitions.flatMap(({ type, attributes, relationships }) => [
    ...Object.entries(attributes).flatMap(([name, { loader }]) =>
      loader === undefined || Object.hasOwn(attributeLoaders, loader)
        ? []
        : [
            `${type}.${name}: no loader is named ${loader}; known: ${Object.keys(attributeLoaders).join(', ')}`,
          ],
    ),
    ...Object.entries(relationships).flatMap(([name, relationship]) => {
      const source = relationship.kind === 'polymorphicToOne' ? undefined : relationship.virtual
      if (
        source === undefined ||
        Object.hasOwn({ ...virtualRelationships, ...computedRelationships }, source)
      )
        return []
      const known = Object.keys({ ...virtualRelationships, ...computedRelationships }).join(', ')
      return [`${type}.${name}: no virtual relationship is named ${source}; known: ${known}`]
    }),
  ])
