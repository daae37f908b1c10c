import { nameOf, parentOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { marksQuery } from '../api/marks.ts'
import { tagsQuery } from '../api/tags.ts'
import { TagChips } from '../items/tag-chips.tsx'
import { Fact } from './fact.tsx'

/** The tags of an item, if it has any. */
export default function TagsFact({ path }: { path: string }) {
  const { data: marks } = useQuery(marksQuery(parentOf(parsePath(path))))
  const { data: known } = useQuery(tagsQuery)
  const set = marks?.[nameOf(parsePath(path))]?.tags ?? []
  const tags = known?.items.filter(({ id }) => set.includes(id)) ?? []
  if (tags.length === 0) return null
  return (
    <Fact label={t('nav.tags')}>
      <TagChips tags={tags} />
    </Fact>
  )
}
