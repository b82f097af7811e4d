/** Keys and passwords that must not be in files that git tracks. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'

const RULES = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rule: creator,
      rules: [
        {
          // Addresses with a password: these are examples and tests, all of this machine.
          id: '@secretlint/secretlint-rule-database-connection-string',
          options: {
            allows: [
              String.raw`/@(localhost|127\.0\.0\.1|[a-z]+)[:/]/`,
              '/:hunter2@/', // the password of tests that look for it in logs
            ],
          },
        },
      ],
    },
  ],
}

/** @throws Error when git is not there. */
export const listTrackedFiles = (root: string): readonly string[] => {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error('git ls-files failed: secrets are looked for in files that git tracks')
  return stdout.split('\0').filter(Boolean)
}

export interface SourceText {
  readonly name: string
  readonly content: string
}

/** One sentence for each secret, without the secret. */
export const findSecretsIn = async ({ name, content }: SourceText): Promise<readonly string[]> => {
  const { messages } = await lintSource({
    source: { filePath: name, content, contentType: 'text', ext: path.extname(name) },
    options: { config: RULES, maskSecrets: true },
  })
  return messages.map(({ ruleId, loc }) => `${name}:${loc.start.line} looks like a secret (${ruleId})`)
}

export const findSecrets = async (root: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const name of listTrackedFiles(root)) {
    const content = readFileSync(path.join(root, name))
    if (!content.includes(0))
      found.push(...(await findSecretsIn({ name, content: content.toString('utf8') })))
  }
  return found
}
