import { LINK_NAME_MARK } from '../../../shared/link-names.ts'
import { allows } from '../../../shared/permissions.ts'
import { withOwner } from './link-owner.ts'
import { RateLimit } from './rate-limit.ts'
import { type OpenDeps, reachShared } from './visit-link.ts'

/**
 * Names what links share, for the head of their page, which messengers show: only open links without a password that their
 * owner may still share. A miss counts as for an opened link, since the name reveals that there is one.
 * @returns a function that never rejects; without a name for all other links
 */
export function linkTitles(deps: Pick<OpenDeps, 'db' | 'files' | 'shares'>) {
  const rateLimit = new RateLimit(deps.db)
  const titleOf = async (hash: string, address: string): Promise<string | undefined> => {
    // A link with a name of its own has a password.
    if (hash.startsWith(LINK_NAME_MARK)) return undefined
    rateLimit.admit(address)
    const found = await deps.shares.find(hash)
    if (!found) await rateLimit.miss(address)
    if (found?.passwordHash !== '' || found.pausedAt !== null) return undefined
    const { share, owner } = await withOwner(deps, found)
    if (!allows(owner.perm, 'share')) return undefined
    const { files, shared } = await reachShared(deps, share, owner)
    if (share.purpose === 'drop' && share.label !== '') return share.label
    return shared.kind === 'folder' ? files.rootName : shared.name
  }
  return (hash: string, address: string) => titleOf(hash, address).catch(() => undefined)
}
