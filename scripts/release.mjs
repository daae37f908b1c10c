// npm run release: the release artefacts, in dist/release. filigree-VERSION.tgz is for npm to install;
// filigree-VERSION-SYSTEM.tar.gz includes its packages and needs only to be unpacked and started. The folder of the
// latter is kept, for an image. filigree_VERSION_PROCESSOR.deb is for Debian, with Node; -- --without-deb leaves it out.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { writeBill } from './lib/bill.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { makeDeb } from './lib/deb.mjs'
import { neededAtRunTime } from './lib/externals.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { copyPackages } from './lib/packages.mjs'
import { inRepo } from './lib/repo.mjs'
import { demand, endWithNpm, fail, runNode, say } from './lib/run.mjs'
import { precompress } from './lib/web-build.mjs'

const OLDEST_NODE = 24
const RELEASE = inRepo('dist', 'release')
const FOLDER = inRepo('dist', 'release', 'filigree')
const PAPERS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'docs']
const UNITS = ['deploy/filigree.service', 'deploy/filigree-commands.conf', 'deploy/grafana', 'deploy/prometheus']
/** Screenshots are for readers of the repository; they would be half of a release. */
const SCREENS = inRepo('docs', 'screens')

endWithNpm()
await ensureInstalled()
await ensureBuilt()
const { name, version, description, license, type, dependencies } = JSON.parse(
  readFileSync(inRepo('package.json'), 'utf8'),
)
const needed = neededAtRunTime(dependencies)
rmSync(RELEASE, { recursive: true, force: true })
layOut()
await precompress(`${FOLDER}/web`, true)
await buildClient()
await demand('npm', ['pack', FOLDER, '--pack-destination', RELEASE, '--loglevel=error'])
copyPackages(Object.keys(needed), FOLDER)
const archive = `filigree-${version}-${process.platform}-${process.arch}.tar.gz`
await demand('tar', ['-czf', inRepo('dist', 'release', archive), '-C', RELEASE, 'filigree'])
const deb = process.argv.includes('--without-deb') ? undefined : await makeDeb(FOLDER, { version, description })
const made = [`filigree-${version}.tgz`, archive, ...(deb === undefined ? [] : [basename(deb)])]
say(made.map(name => `dist/release/${name}`).join('\n'))

/** The client for other programs, of the same version. */
async function buildClient() {
  const { code, output } = await runNode([inRepo('scripts/build-client.mjs'), `${FOLDER}/client`], { quiet: true })
  if (code !== 0) fail(output.trimEnd(), '', 'The client could not be built; the compiler’s output is above.')
}

/** The program without its packages. */
function layOut() {
  mkdirSync(FOLDER, { recursive: true })
  for (const part of ['server', 'web', 'bin']) cpSync(inRepo('dist', part), `${FOLDER}/${part}`, { recursive: true })
  const isNoPicture = path => path !== SCREENS
  for (const paper of [...PAPERS, ...UNITS])
    cpSync(inRepo(paper), `${FOLDER}/${paper}`, { recursive: true, filter: isNoPicture })
  writeBill(FOLDER)
  // In the clone, dist/ lies one level deeper.
  const start = readFileSync(inRepo('dist', 'bin', 'filigree'), 'utf8').replaceAll(
    "'../../node_modules/",
    "'../node_modules/",
  )
  writeFileSync(`${FOLDER}/bin/filigree`, start)
  chmodSync(`${FOLDER}/bin/filigree`, 0o755)
  const about = { name, version, description, license, type, bin: { filigree: 'bin/filigree' } }
  const engines = { node: `>=${OLDEST_NODE}` }
  const text = JSON.stringify({ ...about, engines, dependencies: needed }, null, 2)
  writeFileSync(`${FOLDER}/package.json`, `${text}\n`)
}
