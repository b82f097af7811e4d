import type { Area } from '../engine/area.ts'
import type { CommandContext } from '../engine/write/commands.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { beginCleanup } from './cleanups/begin-cleanup.ts'
import { cleanups } from './cleanups.ts'
import { beginExport } from './exports/begin-export.ts'
import { exports } from './exports.ts'
import { beginImport } from './imports/begin-import.ts'
import { imports } from './imports.ts'
import { cleanupStates, exportStates, importStates } from './job-states.ts'
import type { JobSubject } from './job-states.ts'

/** An import brings up to 10,000 inputs of about a kilobyte. */
const IMPORT_BYTES_MAX = 10 * 1_048_576

const now = ({ step }: CommandContext): JobSubject => ({ now: step.now })

const JOB_EVENTS = ['create', 'start', 'complete', 'interrupt', 'destroy']

export const bulk: Area = {
  resources: [imports, exports, cleanups],
  commands: {
    imports: [transitionCommand(importStates, '_interrupt', now)],
    cleanups: [transitionCommand(cleanupStates, '_interrupt', now)],
    exports: [
      transitionCommand(exportStates, '_start', now),
      transitionCommand(exportStates, '_interrupt', now),
    ],
  },
  topics: { imports: JOB_EVENTS, exports: JOB_EVENTS, cleanups: JOB_EVENTS },
  beforeCreate: {
    // Whether the inputs can be read is decided when the import begins.
    imports: { run: beginImport, ownAttributes: ['inputs'] },
    exports: { run: beginExport, ownAttributes: [] },
    cleanups: { run: beginCleanup, ownAttributes: [] },
  },
  bodyBytesMax: { imports: IMPORT_BYTES_MAX },
  cacheable: ['imports'],
}
