#!/usr/bin/env node
// The entry point of the image: switches from root to PUID and PGID, imports what File Browser left in the volumes, and
// continues as the command line of Filigree. The argument `demo` starts the demo instead, which touches no volume.
import { chownSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { adopt, findFileBrowser, readableBy } from './first-start.js'
import { behindIngress } from './ingress.js'

const HOME = '/config'
/** Only these change their owner, and only while they are as new as the image made them; files of yours never do. */
const OWN_FOLDERS = [HOME, '/database']
/** Their owner in the image, so that new volumes fit a container that starts as this user. */
const FIRST_OWNER = 1000
const isDemo = process.argv[2] === 'demo'

const { PUID = String(FIRST_OWNER), PGID = PUID, UMASK } = process.env
const user = number('PUID', PUID, 10)
const { variables, old } = findFileBrowser(process.env)
Object.assign(process.env, variables, await behindIngress(process.env).catch(({ message }) => refuse(message)))
// Nothing else asks the Supervisor of Home Assistant.
for (const name of ['SUPERVISOR_TOKEN', 'HASSIO_TOKEN']) delete process.env[name]
const serves = process.argv[2] === undefined || process.argv[2].startsWith('-')
let toImport = serves ? old : undefined

if (UMASK) setMask(number('UMASK', UMASK, 8))
if (process.getuid() === 0) become(user, number('PGID', PGID, 10))
if (toImport !== undefined) importFirst(toImport)
if (isDemo) await startDemo()
else await import('../bin/filigree')

async function startDemo() {
  const flags = ['--address', '0.0.0.0', '--port', process.env.FILIGREE_PORT ?? '80', '--reset', '60']
  process.argv.splice(2, 1, ...flags)
  process.env.FILIGREE_EXECUTABLE = fileURLToPath(new URL('../bin/filigree', import.meta.url))
  await import('../demo/e2e/screens/main.js')
}

/** The umask of new files and folders, unless their modes are set. */
function setMask(mask) {
  process.umask(mask)
  process.env.FILIGREE_FILE_MODE ??= octal(0o666 & ~mask)
  process.env.FILIGREE_DIR_MODE ??= octal(0o777 & ~mask)
}

function become(user, group) {
  try {
    for (const folder of OWN_FOLDERS) if (isNew(folder)) chownSync(folder, user, group)
    if (toImport !== undefined) toImport = readableBy(user, toImport)
    process.setgroups([group])
    process.setgid(group)
    process.setuid(user)
  } catch ({ code, syscall }) {
    refuse(
      `The container may not switch to the user ${user} (${syscall}: ${code}). Grant it the capabilities CHOWN, SETGID and SETUID,\n` +
        'or start it as that user, with --user.',
    )
  }
  // Root's own home is closed to other users, and settings are searched there, too.
  process.env.HOME = HOME
}

function isNew(folder) {
  const { uid } = statSync(folder)
  return uid === 0 || (uid === FIRST_OWNER && readdirSync(folder).length === 0)
}

function importFirst(database) {
  process.stdout.write(`The first start imports the database of File Browser, ${old}. That file stays as it is.\n`)
  if (adopt(database, process.env) !== 0)
    refuse(
      'The import failed, so the server does not start. To start without it, set FILIGREE_DATABASE to another path.',
    )
}

function octal(mode) {
  return mode.toString(8).padStart(4, '0')
}

function number(name, text, base) {
  const value = Number.parseInt(text, base)
  if (value.toString(base) === text.replace(/^0+(?=\d)/, '')) return value
  refuse(`${name} must be a number, not '${text}'.`)
}

function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
