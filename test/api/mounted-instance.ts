import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MOUNT_RIGHTS, type Mount } from '../../shared/api/mounts.ts'
import { parsePath } from '../../shared/path.ts'
import { manager, send } from './accounts.ts'
import { json } from './client.ts'
import { MOUNT, ROOT_NAME, withRoot } from './further-root.ts'
import { type Instance, type StartOptions, uniqueName } from './harness.ts'
import { type Corner, corner, openInstance } from './instance.ts'

/** Where a test has its files: a folder of the home, or of a mount. */
export interface Ground {
  where: string
  /** Creates a folder that only the calling test uses. */
  corner(): Promise<Corner>
}

/** Gives the whole further root to the administrator, with all rights. @returns its path */
export async function mountRoot(wire: Instance): Promise<string> {
  const admin = await manager(wire)
  const made = await send(wire, 'POST', '/api/mounts', admin.token, { name: MOUNT, root: ROOT_NAME, folder: '/' })
  const users: { id: number; username: string }[] = json(await admin.list())
  const { id } = users.find(({ username }) => username === (wire.adminName ?? 'admin')) ?? { id: 0 }
  const access = `/api/mounts/${(json(made) as Mount).id}/access/user/${id}`
  const given = await send(wire, 'PUT', access, admin.token, { rights: MOUNT_RIGHTS })
  if (given.status >= 300) throw new Error(`the mount was not given: ${given.status} ${given.text} ${access}`)
  return parsePath(MOUNT)
}

/** An instance as `openInstance` has it, and the grounds of its administrator: without the mount where it is not ours. */
export async function openWithGrounds({ args: more = [] }: Pick<StartOptions, 'args'> = {}): Promise<{
  wire: Instance
  grounds: Ground[]
}> {
  const { disk, args, ...start } = await withRoot()
  const wire = await openInstance({ ...start, args: [...args, ...more] })
  const home: Ground = { where: 'at home', corner: () => corner(wire) }
  if (process.env.FILIGREE_WIRE_URL) return { wire, grounds: [home] }
  const path = await mountRoot(wire)
  const mount: Ground = {
    where: 'in a mount',
    async corner() {
      const name = uniqueName('t')
      await mkdir(join(disk, name))
      return { disk: join(disk, name), path: `${path}/${name}` }
    },
  }
  return { wire, grounds: [home, mount] }
}
