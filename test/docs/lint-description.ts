// The API's description under Redocly's strict rules and all of Spectral's: one line per problem, and exit status 1 with any.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString, type RawUniversalConfig } from '@redocly/openapi-core'
import { wholeDescription } from './client-types.ts'

const RULES: RawUniversalConfig = {
  extends: ['recommended-strict'],
  rules: {
    // Redirects to providers succeed with 302, WebSockets with 101. test/integration/openapi.test.ts requires a success.
    'operation-2xx-response': 'off',
    // The health check and metrics have no input to refuse. The same test requires every status that clients get.
    'operation-4xx-response': 'off',
    'array-parameter-serialization': 'error',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
  },
}

const config = await createConfig(RULES)
const source = JSON.stringify(await wholeDescription())
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
for (const { ruleId, message, location } of problems) {
  process.stdout.write(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})\n`)
}
const spectral = fileURLToPath(new URL('../../scripts/lint-description.mjs', import.meta.url))
const { status, stdout, stderr } = spawnSync(process.execPath, [spectral], { input: source, encoding: 'utf8' })
process.stdout.write(stdout + stderr)
process.exitCode = problems.length > 0 || status !== 0 ? 1 : 0
