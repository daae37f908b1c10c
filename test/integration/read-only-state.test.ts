import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { login } from '../api/client.ts'
import { ADMIN_PASSWORD, EXECUTABLE, makeHome, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

/** Runs a command with a folder that is read-only, also for root. */
const READ_ONLY = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c']
const SCRIPT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
const [program = '', ...options] = READ_ONLY
const canMount = spawnSync(program, [...options, SCRIPT, import.meta.dirname, 'true']).status === 0

test.runIf(canMount)('DB-04 a read-only database stops the start with advice, and is unchanged', async () => {
  const home = await makeHome()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await (await startServer({ home })).end()
  const state = join(home, 'f.db')
  const flags = ['--root', join(home, 'srv'), '--database', state, '--port', '0']
  const command = [...options, SCRIPT, home, process.execPath, EXECUTABLE, ...flags]
  const started = spawnSync(program, command, { encoding: 'utf8' })
  expect(started.status).toBe(1)
  expect(started.stderr).toContain(`The database ${state} cannot be written by this account.`)
  expect(started.stderr).not.toMatch(/^\s+at /m)
  const again = await serve({ home })
  expect((await login(again, 'admin', ADMIN_PASSWORD)).status).toBe(200)
})
