// npm run version:next -- 1.2.0: the changes under "Unreleased" become those of this version in CHANGELOG.md, and the
// packages get its number. A database is kept for later tests (npm run database:keep); a commit and the tag v1.2.0 then make
// the release.
// node scripts/version.mjs --notes: the changes of the present version, for the page of its release. It fails where there
// are none, or where some are left under "Unreleased", which this version would have without a word.
// A folder behind these stands for the clone, in tests.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changesOf, withVersion } from './lib/changelog.mjs'
import { ROOT } from './lib/repo.mjs'
import { fail, say } from './lib/run.mjs'

/** Files with how often each has the number at its top. They stay as they are formatted. */
const NUMBERED = [
  ['package.json', 1],
  ['package-lock.json', 2],
  ['client/package.json', 1],
  ['deploy/apps/umbrel/umbrel-app.yml', 1],
  ['deploy/apps/home-assistant/config.yaml', 1],
  ['deploy/apps/home-assistant-ingress/config.yaml', 1],
  ['deploy/helm/filigree/Chart.yaml', 2],
]
const [what = '', folder = ROOT] = process.argv.slice(2)
const at = path => join(folder, path)
const present = JSON.parse(readFileSync(at('package.json'), 'utf8')).version
/** JSON and YAML. */
const own = new RegExp(`((?:"version"|^version|^appVersion): )"${present.replaceAll('.', '\\.')}"`, 'm')
const changelog = readFileSync(at('CHANGELOG.md'), 'utf8')

if (what === '--notes') process.stdout.write(`${notes()}\n`)
else if (/^\d+\.\d+\.\d+$/.test(what)) begin(what)
else fail('Name the version, for example: npm run version:next -- 1.2.0')

function notes() {
  const changes = changesOf(present, changelog)
  if (changes === '') fail(`CHANGELOG.md has no changes of ${present}. Run: npm run version:next -- ${present}`)
  if (changesOf('Unreleased', changelog) !== '') fail(`CHANGELOG.md has changes under "Unreleased" besides ${present}.`)
  return changes
}

function begin(version) {
  if (changesOf('Unreleased', changelog) === '') fail('CHANGELOG.md has no unreleased changes.')
  if (changesOf(version, changelog) !== '') fail(`CHANGELOG.md has ${version} already.`)
  writeFileSync(at('CHANGELOG.md'), withVersion(version, new Date().toISOString().slice(0, 10), changelog))
  for (const [path, times] of NUMBERED) {
    let text = readFileSync(at(path), 'utf8')
    for (let time = 0; time < times; time += 1) text = text.replace(own, `$1"${version}"`)
    writeFileSync(at(path), text)
  }
  say(
    `Version ${version}. Run npm run database:keep, look at the changes, commit them, and tag the commit v${version}.`,
  )
}
