#!/usr/bin/env node
// The entry point of the image: switches from root to PUID and PGID, and continues as the command line of Filigree.
import { chownSync, existsSync, statSync } from 'node:fs'

const HOME = '/config'
const SETTINGS = `${HOME}/settings.json`
/** Only these change their owner, and only while they are as new as the image made them; files of yours never do. */
const OWN_FOLDERS = [HOME, '/database']

const { PUID = '1000', PGID = PUID, UMASK } = process.env

if (existsSync(SETTINGS)) process.env.FILIGREE_CONFIG ??= SETTINGS
if (UMASK) setMask(number('UMASK', UMASK, 8))
if (process.getuid() === 0) become(number('PUID', PUID, 10), number('PGID', PGID, 10))
await import('../bin/filigree')

/** The umask of new files and folders, unless their modes are set. */
function setMask(mask) {
  process.umask(mask)
  process.env.FILIGREE_FILE_MODE ??= octal(0o666 & ~mask)
  process.env.FILIGREE_DIR_MODE ??= octal(0o777 & ~mask)
}

function become(user, group) {
  try {
    for (const folder of OWN_FOLDERS) if (statSync(folder).uid === 0) chownSync(folder, user, group)
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
