import { t } from '../../../../lib/i18n/index.ts'
import styles from './size.module.css'
import { STEPS, setStep, useStep } from './steps.ts'

/** Sets the size of the images of galleries. */
export default function GallerySize() {
  return (
    <input
      type="range"
      className={styles.slider}
      min={0}
      max={STEPS - 1}
      value={useStep()}
      aria-label={t('preview.zoom')}
      data-tip={t('preview.zoom')}
      onChange={({ target }) => setStep(target.valueAsNumber)}
    />
  )
}
