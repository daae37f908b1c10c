import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './compared-images.module.css'

const WAYS = ['side', 'slider', 'blink'] as const
type Way = (typeof WAYS)[number]
/** Milliseconds for which each image is shown. */
const BLINK = 800

interface ComparedImagesProps {
  before: string
  after: string
  titles: { theirs: string; mine: string }
}

/** Two images next to each other, one over the other with a slider, or alternating. */
export function ComparedImages({ before, after, titles }: ComparedImagesProps) {
  const [way, setWay] = useState<Way>('side')
  const [share, setShare] = useState(50)
  const isSecond = useBlink(way === 'blink')
  return (
    <div className={styles.images}>
      <SelectField
        label={t('versions.view')}
        value={way}
        choices={WAYS.map(value => ({ value, label: t(`versions.way.${value}`) }))}
        onChange={value => setWay(WAYS.find(known => known === value) ?? way)}
      />
      {way === 'slider' && (
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={t('versions.way.slider')}
          onChange={event => setShare(event.currentTarget.valueAsNumber)}
        />
      )}
      <div className={styles.stage} data-way={way}>
        <figure className={styles.figure} data-hidden={(way === 'blink' && isSecond) || undefined}>
          <img src={before} alt={titles.theirs} />
          <figcaption>{titles.theirs}</figcaption>
        </figure>
        <figure
          className={styles.figure}
          data-hidden={(way === 'blink' && !isSecond) || undefined}
          style={way === 'slider' ? { clipPath: `inset(0 0 0 ${share}%)` } : undefined}
        >
          <img src={after} alt={titles.mine} />
          <figcaption>{titles.mine}</figcaption>
        </figure>
      </div>
    </div>
  )
}

/** Alternates while it is on. */
function useBlink(isOn: boolean): boolean {
  const [isSecond, setSecond] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setSecond(now => !now), BLINK)
    return () => clearInterval(timer)
  }, [isOn])
  return isSecond
}
