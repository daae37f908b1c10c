import { TAG_COLOURS, type TagColour } from '../../../shared/api/tags.ts'
import { t } from '../../lib/i18n/index.ts'
import { TagDot } from '../files/items/tag-dot.tsx'
import styles from './tags.module.css'

interface TagColoursProps {
  value: TagColour
  onChange: (colour: TagColour) => void
}

/** The choice of a tag's colour. */
export function TagColours({ value, onChange }: TagColoursProps) {
  return (
    <fieldset className={styles.colours}>
      <legend>{t('tags.colour')}</legend>
      {TAG_COLOURS.map(colour => (
        <label key={colour} className={styles.colour}>
          <input
            type="radio"
            name="colour"
            value={colour}
            aria-label={t(`tags.${colour}`)}
            checked={colour === value}
            onChange={() => onChange(colour)}
          />
          <TagDot colour={colour} />
        </label>
      ))}
    </fieldset>
  )
}
