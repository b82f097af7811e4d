/** Whose shop this is, test or live, and the way to another one. */
import { signInAddress, type Environment } from '../data/session.ts'
import { t } from '../language/text.ts'

const isSame = (one: Environment, other: Environment): boolean =>
  one.organization === other.organization && one.mode === other.mode

interface EnvironmentSwitchProps {
  readonly present: Environment
  readonly environments: readonly Environment[]
}

export const modeText = (mode: Environment['mode']): string => (mode === 'live' ? t('Live') : t('Test'))

export const EnvironmentSwitch = ({ present, environments }: EnvironmentSwitchProps) => (
  <details className="relative">
    <summary className="control flex list-none items-center gap-2">
      <span className="wrap-anywhere">{present.organization}</span>
      <span
        className={`rounded-full px-2 py-0.5 text-sm font-semibold ${present.mode === 'live' ? 'bg-good-ground text-good' : 'bg-warn-ground text-warn'}`}
      >
        {modeText(present.mode)}
      </span>
    </summary>
    <ul className="card absolute start-0 z-10 mt-1 flex w-64 flex-col gap-1 p-2">
      {environments
        .filter((environment) => !isSame(environment, present))
        .map((environment) => (
          <li key={`${environment.organization} ${environment.mode}`}>
            <a
              className="block rounded-lg px-3 py-1.5 hover:bg-ground"
              href={signInAddress(environment, '/console/')}
            >
              {environment.organization} ({modeText(environment.mode)})
            </a>
          </li>
        ))}
    </ul>
  </details>
)
