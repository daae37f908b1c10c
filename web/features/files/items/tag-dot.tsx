import type { Tag } from '../../../../shared/api/tags.ts'
import styles from './tags.module.css'

/** The colour of a tag, for the eye only. */
export function TagDot({ colour }: Pick<Tag, 'colour'>) {
  return <span className={styles.dot} data-colour={colour} aria-hidden />
}

/** The most dots in a row of a folder. */
const SHOWN = 3

/** The colours of an item's first tags; their names are the accessible name. */
export function TagDots({ tags }: { tags: readonly Tag[] }) {
  const names = tags.map(({ name }) => name).join(', ')
  return (
    <span className={styles.dots} role="img" aria-label={names} data-tip={names}>
      {tags.slice(0, SHOWN).map(({ id, colour }) => (
        <TagDot key={id} colour={colour} />
      ))}
    </span>
  )
}
