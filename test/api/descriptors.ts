import { readdir, readlink } from 'node:fs/promises'

/** Files below a folder that a process holds open. */
export async function openedBelow(folder: string, pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = descriptors.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
  return (await Promise.all(targets)).filter(target => target.startsWith(folder))
}

/** Entries of a folder, and files that a server of ours writes in it before they have a name. */
export async function entriesIn(folder: string, server: object): Promise<number> {
  const unnamed = 'pid' in server ? await openedBelow(`${folder}/#`, Number(server.pid)) : []
  return (await readdir(folder)).length + unnamed.length
}
