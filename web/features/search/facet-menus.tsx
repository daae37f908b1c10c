import { useState } from 'react'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { ChevronDown } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { tagsQuery } from '../files/api/tags.ts'
import { TagDot } from '../files/items/tag-dot.tsx'
import { monthLabel, sizeLabel, spanLabel, timeLabel, yearLabel } from './facet-labels.ts'
import { DateRange, SizeRange } from './facet-ranges.tsx'
import styles from './facets.module.css'
import {
  type Facet,
  facetOf,
  isOwnRange,
  recentMonths,
  recentYears,
  SIZE_CHOICES,
  SPANS,
  tagsOf,
  withFacet,
  withTag,
} from './facets.ts'
import { Filters, type FiltersProps } from './found.tsx'

interface FacetProps {
  /** The query. */
  text: string
  onChange: (text: string) => void
}

/** The filters of the page: those of the field, and size, time and tag. */
export function PageFilters(props: FiltersProps) {
  const { value, onChange } = props
  const { text } = value
  const [own, setOwn] = useState<Facet>()
  const [size, modified] = [facetOf(text, 'size'), facetOf(text, 'modified')]
  const set = (facet: Facet) => (word: string) => onChange({ text: withFacet(text, facet, word) })
  const isOwn = (facet: Facet, word: string) => own === facet || isOwnRange(word)
  const menuOf = (facet: Facet) => ({
    own: isOwn(facet, facet === 'size' ? size : modified),
    onOwn: () => setOwn(facet),
    onChoose: (word: string) => {
      setOwn(undefined)
      set(facet)(word)
    },
  })
  return (
    <div className={styles.filters}>
      <Filters {...props}>
        <SizeMenu word={size} {...menuOf('size')} />
        <TimeMenu word={modified} {...menuOf('modified')} />
        <TagMenu text={text} onChange={changed => onChange({ text: changed })} />
      </Filters>
      {isOwn('size', size) && <SizeRange word={size} onChange={set('size')} />}
      {isOwn('modified', modified) && <DateRange word={modified} onChange={set('modified')} />}
    </div>
  )
}

interface RangeMenuProps {
  /** In the query. */
  word: string
  /** Whether it is a range of the user's own. */
  own: boolean
  onOwn: () => void
  onChoose: (word: string) => void
}

function SizeMenu({ word, own, onOwn, onChoose }: RangeMenuProps) {
  const choice = (each: string) => entry(each, sizeLabel(each) ?? each, word === each, () => onChoose(each))
  return (
    <FacetMenu
      label={t('files.columnSize')}
      value={sizeLabel(word)}
      entries={[
        entry('', t('found.anySize'), word === '' && !own, () => onChoose('')),
        ...Object.keys(SIZE_CHOICES).map(choice),
        entry('own', t('found.ownRange'), own, onOwn),
      ]}
    />
  )
}

function TimeMenu({ word, own, onOwn, onChoose }: RangeMenuProps) {
  const now = new Date()
  const choice = (each: string, label: string) => entry(each, label, word === each, () => onChoose(each))
  return (
    <FacetMenu
      label={t('files.columnModified')}
      value={timeLabel(word)}
      entries={[
        entry('', t('found.anyTime'), word === '' && !own, () => onChoose('')),
        ...SPANS.map(each => choice(each, spanLabel(each))),
        ...recentMonths(now).map(month => choice(month, monthLabel(month))),
        ...recentYears(now).map(year => choice(year, yearLabel(year))),
        entry('own', t('found.ownRange'), own, onOwn),
      ]}
    />
  )
}

function TagMenu({ text, onChange }: FacetProps) {
  const tags = useQuery(tagsQuery).data?.items ?? []
  const [chosen] = tagsOf(text)
  if (tags.length === 0) return null
  const tag = tags.find(({ name }) => name.toLowerCase() === chosen)
  return (
    <FacetMenu
      label={t('nav.tags')}
      value={tag?.name ?? chosen}
      entries={[
        entry('', t('found.anyTag'), chosen === undefined, () => onChange(withTag(text, undefined))),
        ...tags.map(each => ({
          ...entry(each.id, each.name, each === tag, () => onChange(withTag(text, each.name))),
          icon: <TagDot colour={each.colour} />,
        })),
      ]}
    />
  )
}

interface FacetMenuProps {
  label: string
  /** What is chosen; nothing without it. */
  value: string | undefined
  entries: readonly MenuEntry[]
}

function FacetMenu({ label, value, entries }: FacetMenuProps) {
  return (
    <MenuButton
      label={value === undefined ? label : formatFacts([label, value])}
      text={value ?? label}
      entries={entries}
      className={value === undefined ? styles.menu : `${styles.menu} ${styles.chosen}`}
    >
      <ChevronDown size={14} aria-hidden className={styles.chevron} />
    </MenuButton>
  )
}

const entry = (id: string, label: string, checked: boolean, run: () => void): MenuEntry => ({ id, label, checked, run })
