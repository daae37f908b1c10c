import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { tagsOfQuery, tagsQuery } from '../api/tags.ts'
import { TagChips } from '../items/tag-chips.tsx'
import { Fact } from './fact.tsx'

/** The tags of an item, if it has any. */
export default function TagsFact({ path }: { path: string }) {
  const { data: [item] = [] } = useQuery(tagsOfQuery([path]))
  const { data: known } = useQuery(tagsQuery)
  const tags = known?.items.filter(({ id }) => item?.tags?.includes(id)) ?? []
  if (tags.length === 0) return null
  return (
    <Fact label={t('nav.tags')}>
      <TagChips tags={tags} />
    </Fact>
  )
}
