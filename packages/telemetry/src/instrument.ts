/**
 * Published instrumentations of databases patch a module when it is loaded. For ES modules that takes loader hooks and a
 * start command with --import; handing the loaded module over gives the same patch (docs/adr/0067).
 */
type Patch = (module: unknown) => unknown

/** What is used of an instrumentation; each has it from OpenTelemetry's InstrumentationBase. */
export interface ModuleInstrumentation {
  getModuleDefinitions(): readonly { readonly name: string; readonly patch?: Patch | undefined }[]
}

let patches: ReadonlyMap<string, Patch> = new Map()

/** Called by the SDK when traces start and stop. */
export const setInstrumentations = (instrumentations: readonly ModuleInstrumentation[]): void => {
  const definitions = instrumentations.flatMap((instrumentation) => instrumentation.getModuleDefinitions())
  patches = new Map(
    definitions.flatMap(({ name, patch }) => (patch === undefined ? [] : [[name, patch] as const])),
  )
}

/** Traces the calls of `module`, the CommonJS exports of package `name`, while traces are on. It may be called again. */
export const instrument = (name: string, module: unknown): void => {
  patches.get(name)?.(module)
}
