import type { Tag } from '../../../../shared/api/tags.ts'
import { Link } from '../../../lib/router.tsx'
import { TagDot } from './tag-dot.tsx'
import styles from './tags.module.css'

/** Links to the items of tags. */
export function TagChips({ tags, current }: { tags: readonly Tag[]; current?: string | undefined }) {
  return (
    <div className={styles.chips}>
      {tags.map(({ id, name, colour }) => (
        <Link key={id} to={`/tags/${id}`} className={styles.chip} aria-current={id === current ? 'page' : undefined}>
          <TagDot colour={colour} />
          <bdi>{name}</bdi>
        </Link>
      ))}
    </div>
  )
}
