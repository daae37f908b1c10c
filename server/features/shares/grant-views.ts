import type { Grant, ReceivedGrants } from '../../../shared/api/grants.ts'
import type { FilePath } from '../../../shared/path.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import type { NamedGrant, StoredGrant } from './grants.store.ts'
import type { Received } from './received.ts'

const endOf = ({ expiresAt }: Pick<StoredGrant, 'expiresAt'>) => (expiresAt === null ? null : rfc3339(expiresAt))

/**
 * @param grant with the path that the caller sees
 * @param owner the name of the owner, where grants of several users are listed
 */
export function grantToWire(grant: NamedGrant, owner?: string): Grant {
  const { id, path, kind, to, toName, rights, note, createdAt } = grant
  return {
    ...{ id, path, isDir: kind === 'folder', to: { kind: to.kind, id: String(to.id), name: toName } },
    ...{ rights: [...rights], note, expires: endOf(grant), created: rfc3339(createdAt) },
    ...(owner !== undefined && { owner }),
    ...(grant.giver !== null && { by: grant.giver }),
  }
}

export function receivedToWire(received: {
  folder: FilePath | undefined
  items: (Received & { path: FilePath })[]
}): ReceivedGrants {
  const items = received.items.map(({ grants: [first], path, owner, rights }) => ({
    ...{ id: first.id, path, isDir: first.kind === 'folder', owner: owner.username },
    ...{ rights: [...rights], note: first.note, expires: endOf(first) },
  }))
  return { folder: received.folder ?? null, items }
}
