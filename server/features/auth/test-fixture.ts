import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import { makeHome } from '../../files/home.ts'
import { ProgramRunner } from '../../sandbox/run-program.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { openMemory } from '../../storage/memory.ts'
import { AuthSettings } from '../settings/auth-settings.ts'
import type { AccountDeps } from '../users/accounts.ts'
import { hashPassword } from '../users/password.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import type { LoginAttempt } from './method.ts'

/** A valid password of the test users. */
export const RIGHT = 'copper-anvil-drifts-9'

/** The fixture of the method tests: a real database, a store in memory, and the users `admin` (1) and `ann`. */
export interface AuthFixture extends AccountDeps {
  storage: StorageDriver
  config: { trustedProxies: string[]; disableExec: boolean }
  ended: number[]
  programs: ProgramRunner
  endSessions(userId: number): Promise<void>
  /** Writes a program for a hook. @returns its path, which contains no space */
  program(lines: string): Promise<string>
  close(): Promise<void>
}

let hashed: Promise<string> | undefined

export async function openFixture(): Promise<AuthFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'filigree-auth-'))
  const { db } = await openDb(join(folder, 'f.db'))
  hashed ??= hashPassword(RIGHT)
  const passwordHash = await hashed
  await addUser(db, { ...BLANK_USER, username: 'admin', passwordHash, perm: ALL_PERMISSIONS })
  await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash, scope: '/ann' })
  const storage = openMemory()
  const ended: number[] = []
  return {
    db,
    storage,
    cluster: openLocalCluster(),
    makeHome: (scope, how) => makeHome(storage, scope, how),
    config: { trustedProxies: ['10.0.0.0/8'], disableExec: false },
    ended,
    programs: new ProgramRunner(),
    endSessions: async userId => void ended.push(userId),
    async program(lines) {
      const path = join(folder, 'hook.sh')
      await writeFile(path, `#!/bin/sh\n${lines}\n`)
      await chmod(path, 0o700)
      return path
    },
    async close() {
      await db.destroy()
      await rm(folder, { recursive: true })
    },
  }
}

/** Settings of a method, the others at their defaults. */
export const settingsOf = (overrides: object): AuthSettings => AuthSettings.parse(overrides)

export const attempt = (username: string, password: string, more: Partial<LoginAttempt> = {}): LoginAttempt => ({
  username,
  password,
  recaptcha: '',
  peer: '10.1.2.3',
  rawHeaders: [],
  ...more,
})
