import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { formatFacts } from '../../../lib/i18n/format.ts'
import { useQuery } from '../../../lib/query.ts'
import styles from '../media.module.css'
import { tagsQuery } from './tags.ts'

/** What the tags of an audio file say: its title, artist and album. Renders nothing without tags. */
export function About({ file }: { file: ResourceItem }) {
  const { data: { title, artist, album } = {} } = useQuery(tagsQuery(file))
  const about = formatFacts([artist ?? [], album ?? []].flat().filter(text => text !== ''))
  if (!title && about === '') return null
  return (
    <div className={styles.about}>
      {title && (
        <p className={styles.title}>
          <bdi>{title}</bdi>
        </p>
      )}
      {about !== '' && (
        <p>
          <bdi>{about}</bdi>
        </p>
      )}
    </div>
  )
}
