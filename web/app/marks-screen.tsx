import { RecentPage } from '../features/marks/recent.tsx'
import { StarredPage } from '../features/marks/starred.tsx'
import type { MarksPage } from '../lib/route.ts'

/** `/starred` and `/recent`. */
export default function MarksScreen({ page }: { page: MarksPage }) {
  return page === 'starred' ? <StarredPage /> : <RecentPage />
}
