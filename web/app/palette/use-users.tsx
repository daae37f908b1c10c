import { useMemo } from 'react'
import { usersQuery } from '../../features/users/api/users.ts'
import { useQuery } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { CircleUser } from '../../ui/icons.ts'
import { type Entry, place } from './entries.tsx'
import { bestMatches } from './fuzzy.ts'

/** Users that the palette lists; their page has them all. */
const MOST = 5

/** The accounts whose names match, for administrators; none without a text. */
export function useFoundUsers(text: string): readonly Entry[] {
  const isAdmin = useStore(sessionStore).user?.perm.admin === true
  const { data } = useQuery({ ...usersQuery, enabled: isAdmin && text !== '' })
  return useMemo(() => {
    if (text === '' || !data) return []
    const users = data.map(({ id, username }) => place(`/settings/users/${id}`, username, CircleUser))
    return bestMatches(users, text).slice(0, MOST)
  }, [data, text])
}
