// node scripts/lint-description.mjs <description.json: every rule of Spectral for OpenAPI, one line per problem. Spectral
// is one of the tools of site/. npm run check runs it after Redocly's rules.
import { text } from 'node:stream/consumers'
import { ensureSiteTools } from './lib/site-tools.mjs'

await ensureSiteTools()
const { lint } = await import('../site/lint-description.mjs')
const problems = await lint(await text(process.stdin))
process.stdout.write(problems.map(problem => `${problem}\n`).join(''))
process.exitCode = problems.length > 0 ? 1 : 0
