import { onTestFinished } from 'vitest'
import { parseDirectories } from '../../server/config/directories.ts'
import type { DirectoryUser } from '../../server/features/auth/method.ts'
import { type AuthFixture, attempt, openFixture } from '../../server/features/auth/test-fixture.ts'
import { Directories } from '../../server/features/directories/directories.ts'

export interface Fixture extends AuthFixture {
  directories: Directories
  /** Warnings of the log. */
  warnings: object[]
  /** Rows of the audit log. */
  recorded: object[]
  logIn(username: string, password: string): Promise<DirectoryUser | undefined>
}

/** Directories of the host with a database of their own, in this process. */
export async function openDirectories(...directories: readonly object[]): Promise<Fixture> {
  const fixture = await openFixture()
  onTestFinished(() => fixture.close())
  const warnings: object[] = []
  const recorded: object[] = []
  const log = { info() {}, warn: (facts: object) => void warnings.push(facts) }
  const config = { directories: parseDirectories(JSON.stringify(directories)) }
  const audit = { record: async (event: object) => void recorded.push(event) }
  const opened = new Directories({ ...fixture, log, audit, config })
  return {
    ...fixture,
    directories: opened,
    warnings,
    recorded,
    logIn: (username, password) => opened.authenticate(attempt(username, password)),
  }
}
