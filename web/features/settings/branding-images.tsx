import { useId, useRef, useState } from 'react'
import type { BrandingAnswer, BrandingImageName } from '../../../shared/api/branding.ts'
import { ApiError, unlessMissing } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { CardGroup } from '../../ui/card.tsx'
import { Images } from '../../ui/icons.ts'
import { brandingQuery, removeImage, uploadImage } from './api/branding.ts'
import styles from './branding-images.module.css'

const LABELS = {
  logo: { label: 'branding.logo', hint: 'branding.logoHint' },
  icon: { label: 'branding.icon', hint: 'branding.iconHint' },
  picture: { label: 'branding.picture', hint: 'branding.pictureHint' },
} as const
const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[]

const ACCEPT = 'image/png,image/jpeg,image/webp,image/svg+xml'

/** The host's own images. They are saved at once, not with the form around them. */
export function BrandingImages() {
  const { data } = useQuery(brandingQuery)
  if (!data) return null
  return (
    <CardGroup title={t('branding.title')} text={t('branding.text')}>
      <div className={styles.images}>
        {NAMES.map(name => (
          <ImageRow key={name} name={name} branding={data} />
        ))}
      </div>
    </CardGroup>
  )
}

interface ImageRowProps {
  name: BrandingImageName
  branding: BrandingAnswer
}

function ImageRow({ name, branding: { images, limits } }: ImageRowProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const { busy, problem, change } = useChange(limits[name])
  const image = images.find(each => each.name === name)
  const { label, hint } = LABELS[name]
  const remove = async () => {
    if (await change(() => unlessMissing(removeImage(name)), t('branding.removed'))) choose.current?.focus()
  }
  return (
    <fieldset className={styles.row} aria-labelledby={id} aria-describedby={`${id}-hint`}>
      <span className={styles.preview} data-wide={name === 'picture' || undefined}>
        {image ? (
          <img src={`${pageConfig.StaticURL}/branding/${name}?v=${image.version}`} alt="" />
        ) : (
          <Images size={20} aria-hidden />
        )}
      </span>
      <div className={styles.texts}>
        <p id={id} className={styles.label}>
          {t(label)}
        </p>
        <p id={`${id}-hint`} className={styles.hint}>
          {t(hint, { size: formatBytes(limits[name]) })}
        </p>
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button ref={choose} busy={busy} onClick={() => input.current?.click()}>
          {t(image ? 'branding.replace' : 'branding.choose')}
        </Button>
        {image && (
          <Button kind="quiet" onClick={() => void remove()}>
            {t('branding.remove')}
          </Button>
        )}
      </div>
      <input
        ref={input}
        hidden
        type="file"
        accept={ACCEPT}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void change(() => uploadImage(name, file), t('branding.saved'))
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </fieldset>
  )
}

/** Changes an image. @param most bytes that the server takes */
function useChange(most: number) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  /** @returns whether it succeeded */
  const change = async (act: () => Promise<void>, done: string): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    setProblem('')
    try {
      await act()
      notify('success', done)
      return true
    } catch (error) {
      setProblem(problemText(error, most))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, change }
}

function problemText(error: unknown, most: number): string {
  if (error instanceof ApiError && error.status === 400) return t('branding.unknown')
  if (error instanceof ApiError && error.status === 413) return t('branding.large', { size: formatBytes(most) })
  return errorText(error)
}
