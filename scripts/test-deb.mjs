// npm run test:deb: makes the Debian package, installs it in a fresh Debian made by debootstrap, starts the server with the
// account and the paths of the unit, and purges the package. As root, with a network. systemd checks the unit, and does not
// run it: a change of root has no init.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { debianIn } from './lib/image.mjs'
import { findProgram, inRepo } from './lib/repo.mjs'
import { fail, run, say } from './lib/run.mjs'

const PORT = '18764'
const PATIENCE_SECONDS = 60
const AS_SERVICE =
  'env -i PATH=/usr/bin:/bin HOME=/var/lib/filigree setpriv --reuid filigree --regid filigree --clear-groups'
const SERVER = `${AS_SERVICE} filigree --root /srv/files --database /var/lib/filigree/filigree.db --port ${PORT}`

if (!process.argv.includes('--built')) await import('./release.mjs')
const made = readdirSync(inRepo('dist/release')).find(name => name.endsWith('.deb'))
if (made === undefined) fail('No package was made: this needs dpkg-deb.')
if (findProgram('debootstrap') === undefined) fail('This needs debootstrap.')
const root = mkdtempSync(join(tmpdir(), 'filigree-deb-'))
process.on('exit', () => rmSync(root, { recursive: true, force: true }))
// The service's account passes through it.
chmodSync(root, 0o755)
await debianIn(root, ['--include=systemd'])
copyFileSync(inRepo('dist/release', made), join(root, 'tmp', made))

await inside(`apt-get install --yes --no-install-recommends /tmp/${made}`)
await inside('systemd-analyze verify /usr/lib/systemd/system/filigree.service')
const { uid, mode } = statSync(join(root, 'srv/files'))
check(
  (await inside('id --user filigree')).trim() === String(uid) && (mode & 0o777) === 0o750,
  'the folder is the account’s',
)
await inside('install -d -o filigree -g filigree -m 0700 /var/lib/filigree')
await serving(async () => {
  writeFileSync(join(root, 'srv/files/a.txt'), 'a')
  check(
    (await inside('filigree users ls --database /var/lib/filigree/filigree.db')).includes('admin'),
    'users are listed',
  )
})
writeFileSync(join(root, 'etc/filigree/environment'), 'FILIGREE_PORT=9000\n')
await inside(`dpkg --install /tmp/${made}`)
check(
  readFileSync(join(root, 'etc/filigree/environment'), 'utf8').includes('9000'),
  'an upgrade keeps changed settings',
)
await inside('apt-get purge --yes filigree')
check(!existsSync(join(root, 'usr/lib/filigree')), 'nothing of the program stays')
check(readFileSync(join(root, 'srv/files/a.txt'), 'utf8') === 'a', 'files stay')
check(existsSync(join(root, 'var/lib/filigree/filigree.db')), 'the database stays')
say('The package is installed, starts, keeps settings and leaves files.')

async function serving(trial) {
  const server = spawn('chroot', [root, 'sh', '-c', `exec ${SERVER}`], { stdio: 'inherit' })
  const end = () => server.kill()
  process.once('exit', end)
  try {
    for (let second = 0; !(await isReady()); second += 1) {
      if (second === PATIENCE_SECONDS) fail('The server does not answer.')
      await wait(1000)
    }
    await trial()
  } finally {
    process.off('exit', end)
    const ended = once(server, 'exit')
    end()
    await ended
  }
}

async function isReady() {
  const { code } = await run('chroot', [root, 'env', `FILIGREE_PORT=${PORT}`, 'filigree', 'health'], { quiet: true })
  return code === 0
}

/** Runs a line of a shell in the fresh Debian, and ends with its output when it fails. */
async function inside(line) {
  const { code, output } = await run('chroot', [root, 'sh', '-c', line], { quiet: true })
  if (code !== 0) fail(output.trimEnd(), '', `“${line}” failed.`)
  return output
}

function check(isTrue, what) {
  if (!isTrue) fail(`Not true: ${what}.`)
}
