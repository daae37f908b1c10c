import { access, constants, readFile } from 'node:fs/promises'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Account, SystemRights } from '../rights.ts'
import { nativePath } from './native-path.ts'
import { locate, type Scope } from './resolve-path.ts'

const ACCOUNTS = '/etc/passwd'

/** What the system allows for an object; see the driver contract. */
export async function rightsAt(scope: Scope, path: FilePath): Promise<SystemRights> {
  const { handle, rest } = await locate(scope, path)
  try {
    if (rest.length > 0) throw new AppError('not_found')
    const { mode, uid } = handle.stat
    const entering = handle.stat.isDirectory() ? constants.X_OK : 0
    const may = (right: number) =>
      access(nativePath(handle.at), right | entering).then(
        () => true,
        () => false,
      )
    return {
      mode: Number(mode) & 0o7777,
      owner: await accountOf(Number(uid)),
      server: await accountOf(process.geteuid?.() ?? 0),
      may: { read: await may(constants.R_OK), write: await may(constants.W_OK) },
    }
  } finally {
    handle.close()
  }
}

/** Accounts of a directory service have no name here. */
async function accountOf(id: number): Promise<Account> {
  const lines = (await readFile(ACCOUNTS, 'utf8').catch(() => '')).split('\n')
  const name = lines.map(line => line.split(':')).find(fields => fields[2] === String(id))?.[0]
  return name === undefined ? { id } : { id, name }
}
