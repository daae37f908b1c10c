// npm run audit: queries the registry for known vulnerabilities of all packages in the lockfile. Fails for one that
// SECURITY.md does not list with the reason why it does not affect users. An unavailable registry is reported, but is
// no failure.
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
  say(`Known vulnerabilities could not be queried: ${answer?.message ?? output.trim().split('\n').at(-1)}`)
} else {
  const explained = readFileSync(inRepo('SECURITY.md'), 'utf8')
  const flaws = flawsIn(answer.vulnerabilities).filter(({ url }) => !explained.includes(url.split('/').at(-1)))
  if (flaws.length > 0)
    fail(...flaws.map(({ name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`))
  say('No known vulnerabilities, except those that SECURITY.md explains.')
}

/** The JSON in npm's output, between its warnings; undefined if there is none. */
function answerIn(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** A package is listed for its own vulnerabilities, and by name for those of its dependencies. */
function flawsIn(vulnerabilities) {
  const flaws = Object.values(vulnerabilities).flatMap(({ via }) => via.filter(cause => typeof cause === 'object'))
  return [...new Map(flaws.map(flaw => [flaw.url, flaw])).values()]
}
