import { RecentPage } from '../features/marks/recent.tsx'
import { StarredPage } from '../features/marks/starred.tsx'
import { TaggedPage } from '../features/marks/tagged.tsx'
import type { Route } from '../lib/route.ts'

/** `/starred`, `/recent` and `/tags`. */
export default function MarksScreen({ route: { page, tag } }: { route: Extract<Route, { name: 'marks' }> }) {
  if (page === 'tags') return <TaggedPage chosen={tag} />
  return page === 'starred' ? <StarredPage /> : <RecentPage />
}
