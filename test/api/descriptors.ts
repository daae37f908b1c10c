import { readdir, readlink } from 'node:fs/promises'

/** What lies below a folder and is held open by a process. */
export async function openedBelow(folder: string, pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = descriptors.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
  return (await Promise.all(targets)).filter(target => target.startsWith(folder))
}
