import type { Rule } from '../../../shared/api/users.ts'
import { nameOf, PathError, parentOf, parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { NewUser } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import { teller } from './normalize.ts'
import type { Note } from './report.ts'

/** Names that are told of one rule. */
const MOST_NAMES = 5

/** Somebody whose folder is looked into; nothing is hidden from the look. */
type Somebody = Pick<NewUser, 'username' | 'scope' | 'rules' | 'perm'>

/** Looks into everybody's folder: is it there, and do rules mean there what they meant? */
export async function lookAtFolders(
  files: FilesService,
  people: readonly Somebody[],
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
    await lookAtRules(folder, ofAll, `the rules for everybody, in ${scope}`, notes)
    await lookAtRules(folder, rules, `rules of ${username}`, notes)
  }
}

const PROBLEMS: Partial<Record<AppError['code'], string>> = {
  not_found: 'is not there; make it, or there is nothing to see',
  not_a_folder: 'is no folder',
  outside_scope: 'leads out of the served folder by a link; move it there, or start with --followExternalSymlinks',
}

async function folderOf(files: FilesService, { username, scope, perm }: Somebody, notes: Note[]) {
  try {
    return await files.for({ scope, perm, rules: [], hideDotfiles: false })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = PROBLEMS[error.code] ?? `cannot be opened (${error.code})`
    teller(notes, `user ${username}`)('todo', `the folder ${scope} ${problem}`)
    return undefined
  }
}

/** Rules met everything whose path began like theirs, names that go on, too; here they mean whole names. */
async function lookAtRules(folder: Files, rules: readonly Rule[], about: string, notes: Note[]): Promise<void> {
  for (const { regex, allow, path } of rules) {
    if (regex || path === '' || path === '/') continue
    const tell = teller(notes, about)
    const rule = `${allow ? 'allow' : 'forbid'} ${path}`
    if (!path.startsWith('/')) tell('changes', `“${rule}” never matched and never will: a path begins with a slash`)
    else if (path.endsWith('/')) tell('changes', `“${rule}” now means the folder itself, too`)
    else await lookForLonger(folder, path, names => tell('changes', `“${rule}” no longer means ${names}`))
  }
}

async function lookForLonger(folder: Files, text: string, tell: (names: string) => void): Promise<void> {
  try {
    const path = parsePath(text)
    const { items } = await folder.list(parentOf(path))
    const longer = items.filter(({ name }) => name !== nameOf(path) && name.startsWith(nameOf(path)))
    const names = longer.slice(0, MOST_NAMES).map(item => item.path)
    if (names.length > 0) tell(names.join(', ') + (longer.length > MOST_NAMES ? ', …' : ''))
  } catch (error) {
    // What is not there, or has an impossible name, is met by no rule.
    if (!(error instanceof AppError || error instanceof PathError)) throw error
  }
}
