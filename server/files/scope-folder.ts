import { checkName, type FilePath, ROOT } from '../../shared/path.ts'

/**
 * The folder of a stored scope, below the served root: `''`, `.` and `/` are the root, `./a/` and `//a` are `/a`
 * (http-api 16.3).
 * @throws PathError for a scope with `..`
 */
export function scopeFolder(scope: string): FilePath {
  const names = scope.split('/').filter(name => name !== '' && name !== '.')
  for (const name of names) checkName(name)
  return names.length === 0 ? ROOT : (`/${names.join('/')}` as FilePath)
}
