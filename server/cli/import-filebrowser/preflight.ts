import type { Rule } from '../../../shared/api/users.ts'
import { nameOf, PathError, parentOf, parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { NewUser } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { reporterFor } from './normalize.ts'
import type { Note } from './report.ts'

/** Maximum number of names reported per rule. */
const MOST_NAMES = 5

/** A user whose folder is checked; rules do not hide anything from the check. */
type CheckedUser = Pick<NewUser, 'username' | 'scope' | 'rules' | 'perm'>

/** Checks that every user's folder exists, and reports rules that match differently there. */
export async function checkFolders(
  files: FilesService,
  people: readonly CheckedUser[],
  globalRules: readonly Rule[],
  { recent, notes }: { recent: boolean; notes: Note[] },
): Promise<void> {
  const seen = new Set<string>()
  for (const person of people) {
    const { username, scope, rules } = person
    const folder = await folderOf(files, person, notes)
    if (!folder || recent) continue
    const ofAll = seen.has(scope) ? [] : globalRules
    seen.add(scope)
    await checkImportedRules(folder, ofAll, `global rules, in ${scope}`, notes)
    await checkImportedRules(folder, rules, `rules of ${username}`, notes)
  }
}

const PROBLEMS: Partial<Record<AppError['code'], string>> = {
  not_found: 'does not exist; create it',
  not_a_folder: 'is not a folder',
  outside_scope:
    'is a symbolic link out of the served folder; move the target there, or start with --followExternalSymlinks',
}

async function folderOf(files: FilesService, { username, scope, perm }: CheckedUser, notes: Note[]) {
  try {
    return await files.for({ scope, perm, rules: [], hideDotfiles: false })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = PROBLEMS[error.code] ?? `cannot be opened (${error.code})`
    reporterFor(notes, `user ${username}`)('todo', `the folder ${scope} ${problem}`)
    return undefined
  }
}

/** Rules matched every path with their path as a prefix; here they match whole segments. */
async function checkImportedRules(folder: Files, rules: readonly Rule[], about: string, notes: Note[]): Promise<void> {
  for (const { regex, allow, path } of rules) {
    if (regex || path === '' || path === '/') continue
    const report = reporterFor(notes, about)
    const rule = `${allow ? 'allow' : 'forbid'} ${path}`
    if (!path.startsWith('/')) report('changes', `“${rule}” never matches: a path must begin with a slash`)
    else if (path.endsWith('/')) report('changes', `“${rule}” now also matches the folder itself`)
    else await lookForLonger(folder, path, names => report('changes', `“${rule}” no longer matches ${names}`))
  }
}

async function lookForLonger(folder: Files, text: string, report: (names: string) => void): Promise<void> {
  try {
    const path = parsePath(text)
    const { items } = await folder.list(parentOf(path))
    const longer = items.filter(({ name }) => name !== nameOf(path) && name.startsWith(nameOf(path)))
    const names = longer.slice(0, MOST_NAMES).map(item => item.path)
    if (names.length > 0) report(names.join(', ') + (longer.length > MOST_NAMES ? ', …' : ''))
  } catch (error) {
    // A missing folder, or an invalid name, is matched by no rule.
    if (!(error instanceof AppError || error instanceof PathError)) throw error
  }
}
