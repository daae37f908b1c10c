import { type FilePath, parsePath, ROOT } from '../../../shared/path.ts'

/** A folder in the files of an administrator as a scope: a path in the served folder. @param own the administrator's scope */
export function scopeOf(folder: FilePath, own: string): string {
  const names = [...namesIn(own), ...namesIn(folder)]
  return names.length === 0 ? '.' : `/${names.join('/')}`
}

/** The folder of a scope in the files of an administrator; the topmost one where it is not among them. */
export function folderOf(scope: string, own: string): FilePath {
  const [names, above] = [namesIn(scope), namesIn(own)]
  return above.every((name, depth) => names[depth] === name) ? pathOf(names.slice(above.length)) : ROOT
}

const namesIn = (path: string) => path.split('/').filter(name => name !== '' && name !== '.')

/** A scope that is being typed may be no path. */
function pathOf(names: readonly string[]): FilePath {
  try {
    return parsePath(names.join('/'))
  } catch {
    return ROOT
  }
}
