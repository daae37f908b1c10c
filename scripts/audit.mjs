// npm run audit: asks the registry for known flaws of all packages in the lockfile. Fails where there is one that
// SECURITY.md does not name with the reason why it reaches nobody. A registry that cannot say is no failure, but is told.
import { readFileSync } from 'node:fs'
import { inRepo, systemEnvironment } from './lib/repo.mjs'
import { endWithNpm, fail, run, say } from './lib/run.mjs'

endWithNpm()
const { output } = await run('npm', ['audit', '--json', '--package-lock-only'], {
  env: systemEnvironment(),
  quiet: true,
})
const answer = answerIn(output)
if (answer?.vulnerabilities === undefined) {
  say(`Nobody could be asked for known flaws: ${answer?.message ?? output.trim().split('\n').at(-1)}`)
} else {
  const explained = readFileSync(inRepo('SECURITY.md'), 'utf8')
  const flaws = flawsIn(answer.vulnerabilities).filter(({ url }) => !explained.includes(url.split('/').at(-1)))
  if (flaws.length > 0)
    fail(...flaws.map(({ name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`))
  say('No flaws are known, but for those that SECURITY.md explains.')
}

/** What npm says between its warnings; nothing when that is no JSON. */
function answerIn(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** A package is named for its own flaws, and by their names for those of what it depends on. */
function flawsIn(vulnerabilities) {
  const flaws = Object.values(vulnerabilities).flatMap(({ via }) => via.filter(cause => typeof cause === 'object'))
  return [...new Map(flaws.map(flaw => [flaw.url, flaw])).values()]
}
