import { afterAll } from 'vitest'
import { launchSlapd, type Slapd } from './slapd.ts'

/** Starts a server with these entries below `BASE`, which ends with the tests of the file. */
export async function startSlapd(entries: string): Promise<Slapd> {
  const slapd = await launchSlapd(entries)
  afterAll(() => slapd.close())
  return slapd
}
