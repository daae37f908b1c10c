import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mount } from '../../shared/api/mounts.ts'
import { send } from './accounts.ts'
import { json, type Place } from './client.ts'
import { makeHome } from './harness.ts'

/** The name of the mount, and of its root. */
export const MOUNT = 'Team'
export const ROOT_NAME = 'media'

/** What starts a server with a further root, in a new home. */
export async function withRoot(): Promise<{ home: string; disk: string; args: string[] }> {
  const home = await makeHome()
  const disk = join(home, ROOT_NAME)
  await mkdir(disk)
  const config = join(home, 'roots.json')
  await writeFile(config, JSON.stringify({ roots: { [ROOT_NAME]: disk } }))
  return { home, disk, args: ['--config', config] }
}

/** Gives the whole further root to a group, to read. */
export async function giveToGroup(wire: Place, token: string, group: string): Promise<void> {
  const made = await send(wire, 'POST', '/api/mounts', token, { name: MOUNT, root: ROOT_NAME, folder: '/' })
  const access = `/api/mounts/${(json(made) as Mount).id}/access/group/${group}`
  const given = await send(wire, 'PUT', access, token, { rights: ['download'] })
  if (given.status >= 300) throw new Error(`the mount was not given: ${given.status} ${given.text}`)
}
