import { MAX_ADMIN_TOKEN_DAYS, type TokenRequest } from '../../../shared/api/tokens.ts'
import { parsePath, ROOT } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Actor } from '../../files/policy.ts'
import { isNetwork } from '../../lib/networks.ts'
import type { BoundFolder } from './token-folders.store.ts'
import type { TokenOptions } from './tokens.ts'

export interface TokenRequestDeps {
  files: FilesService
  config: { tokenDays: number; adminTokens: boolean }
}

const DAY = 86_400_000

/**
 * The checked request for a new token.
 * @throws AppError `bad_request` naming the field; `forbidden` for the scope `admin` without the right, or where the
 *   host does not allow it
 */
export async function readTokenRequest(
  { files, config }: TokenRequestDeps,
  user: Actor,
  { label, scopes, folders, networks, expires }: TokenRequest,
): Promise<TokenOptions> {
  const isAdmin = scopes.includes('admin')
  if (isAdmin && !(user.perm.admin && config.adminTokens)) throw new AppError('forbidden')
  const options = {
    label,
    scopes,
    folders: await readFolders(files, user, folders ?? []),
    networks: readNetworks(networks ?? []),
    expiresAt: readExpiry(expires ?? undefined, mostDays(config.tokenDays, isAdmin)),
  }
  if (isAdmin && options.folders.length > 0) throw new AppError('bad_request', 'folders: cannot limit the scope admin')
  return options
}

function mostDays(tokenDays: number, isAdmin: boolean): number {
  const most = tokenDays === 0 ? Number.POSITIVE_INFINITY : tokenDays
  return isAdmin ? Math.min(most, MAX_ADMIN_TOKEN_DAYS) : most
}

/** The root does not limit anything. */
async function readFolders(files: FilesService, user: Actor, texts: readonly string[]): Promise<BoundFolder[]> {
  const own = await files.for(user)
  const folders = new Map<string, BoundFolder>()
  for (const text of texts) {
    try {
      const given = parsePath(text)
      const { kind, canonical: path } = await own.info(given)
      // A link to the root is no request for all files.
      if (kind !== 'folder' || (path === ROOT && given !== ROOT)) throw new AppError('not_a_folder')
      const { place: canonical, identity, isNameOnly } = await own.standing(path)
      folders.set(path, { path, canonical, identity: isNameOnly ? '' : identity })
    } catch (thrown) {
      if (asAppError(thrown).code === 'internal') throw thrown
      throw new AppError('bad_request', 'folders: names no folder', { cause: thrown })
    }
  }
  return folders.has(ROOT) ? [] : [...folders.values()]
}

function readNetworks(texts: readonly string[]): string[] {
  if (!texts.every(isNetwork))
    throw new AppError('bad_request', 'networks: must be addresses, or networks such as 10.0.0.0/8')
  return [...texts]
}

function readExpiry(text: string | undefined, most: number): number | null {
  if (text === undefined) {
    if (Number.isFinite(most)) throw new AppError('bad_request', `expires: must be at most ${most} days from now`)
    return null
  }
  const time = Date.parse(text)
  if (!(time > Date.now())) throw new AppError('bad_request', 'expires: must be a time in the future')
  // A minute for clocks that differ.
  if (time > Date.now() + most * DAY + 60_000) {
    throw new AppError('bad_request', `expires: must be at most ${most} days from now`)
  }
  return time
}
