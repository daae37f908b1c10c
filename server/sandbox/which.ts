import { accessSync, constants, statSync } from 'node:fs'

/**
 * Resolves a program's name: an absolute path, or the first match of a plain name in `PATH`.
 * @param path folders separated by `:`; only absolute ones count
 */
export function findProgram(name: string, path: string): string | undefined {
  if (name.startsWith('/')) return isProgram(name) ? name : undefined
  if (name === '' || name.includes('/')) return undefined
  const folders = path.split(':').filter(folder => folder.startsWith('/'))
  return folders.map(folder => `${folder}/${name}`).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
