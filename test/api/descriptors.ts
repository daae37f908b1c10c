import { readdir, readlink } from 'node:fs/promises'

/** Files below a folder that a process holds open. */
export async function openedBelow(folder: string, pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = descriptors.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
  return (await Promise.all(targets)).filter(target => target.startsWith(folder))
}
